// Writes families.json: what the reference library makes of odd texts with the tokenisers
// of the families' checkpoints (../hf-*/tokenizer.json).
//
//   npm install tokenizers@0.23.2      (in a folder of your own)
//   NODE_PATH=.../node_modules node families.js
const fs = require('fs');
const path = require('path');
const { Tokenizer } = require('tokenizers');

const TEXTS = ['', ' ', 'a', 'Hello world', '  Hello   world  ', "I'll don't HE'S we've", '3.14 12345',
    'The cat sat on the mat.', 'naïve 日本 😀', 'a\n\n b\t c', '\u00a0x\u3000y', 'x[MASK]y [mask] ##ing',
    'A <mask> is', 'A<mask>', '<s>typed</s>', 'text<|endoftext|>more', 'Hello, Wörld! unaffable',
    'ΣΑΣ İstanbul', 'ab\u{2B820}cd', 'c\uE000d zero\u200bwidth soft\u00adhyphen', '한국어 가각',
    'バパ ﬁ ½ ①', 'العربية שלום', '👩\u200d🚀🇫🇷', "it's (a) test-case_1, isn't it?", 'e\u0301te\u0301 été',
    'a'.repeat(120), 'b'.repeat(101), '$1+1=2 ^~`|<>', 'tab\there', '...', 'Ġthe', 'ÀÉÎõü ÅØ',
    'line one\r\nline two', 'ＡＢ ｱ', 'don’t “quote”', '\ufeffmark', 'x\u0323\u0307'];

(async () => {
    const cases = [];
    for (const family of ['bert', 'gpt2', 'roberta', 'qwen2', 'llama']) {
        const file = `../hf-${family}/tokenizer.json`;
        const t = Tokenizer.fromFile(path.join(__dirname, file));
        for (const text of TEXTS) {
            const e = await t.encode(text);
            const ids = e.getIds();
            const byte = (i) => Buffer.byteLength([...text].slice(0, i).join(''));
            const mask = e.getSpecialTokensMask();
            const spans = e.getOffsets().map(([a, b], k) =>
                (mask[k] && a === 0 && b === 0) ? [-1, -1] : [byte(a), byte(b)]);
            cases.push({ file, text, ids, spans, decoded: await t.decode(ids, true) });
        }
    }
    fs.writeFileSync(path.join(__dirname, 'families.json'),
        '{"made_with":"tokenizers 0.23.2 (npm)","cases":[\n' +
        cases.map((c) => JSON.stringify(c)).join(',\n') + '\n]}\n');
})();
