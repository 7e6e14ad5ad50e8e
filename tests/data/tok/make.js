// Makes the small tokenisers of this folder and the reference results in expected.json.
//
//   npm install tokenizers@0.23.2      (in a folder of your own)
//   NODE_PATH=.../node_modules node make.js FULL.json
//
// FULL.json is the tokenizer.json of a shipped translator: its most frequent pieces are
// kept. The tests need neither npm nor this script.
const fs = require('fs');
const path = require('path');
const { Tokenizer } = require('tokenizers');

const full = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
const here = __dirname;
const entries = full.model.vocab;
const isByte = (p) => /^<0x[0-9A-F]{2}>$/.test(p);

function write(name, object) {
    fs.writeFileSync(path.join(here, name), JSON.stringify(object) + '\n');
    return name;
}

function unigram() {
    const t = structuredClone(full);
    const head = entries.slice(0, 259);
    const rest = entries.slice(259);
    t.model.vocab = head.concat(rest.slice(0, 500),
        rest.slice(500).filter(([p]) => [...p].length === 1));
    return write('unigram.json', t);
}

function unigramPlain() {
    const special = (id, content, more) => ({ id, content, single_word: false, lstrip: false,
        rstrip: false, normalized: false, special: true, ...more });
    const pieces = entries.slice(259, 559).map(([p, s]) => [p.toLowerCase(), s]);
    const vocab = [['<unk>', 0], ['</s>', 0], ['▁', -6]];
    for (const [p, s] of pieces)
        if (!vocab.some(([q]) => q === p))
            vocab.push([p, s]);
    const n = vocab.length;
    return write('unigram-plain.json', {
        version: '1.0', truncation: null, padding: null,
        added_tokens: [special(0, '<unk>'), special(1, '</s>'),
            special(n, '<mask>', { lstrip: true, rstrip: true }),
            special(n + 1, 'zug', { normalized: true, special: false }),
            special(n + 2, 'sic', { single_word: true })],
        normalizer: { type: 'Sequence', normalizers: [{ type: 'NFKC' }, { type: 'Lowercase' },
            { type: 'Replace', pattern: { Regex: '\\s+' }, content: ' ' },
            { type: 'Strip', strip_left: true, strip_right: true }] },
        pre_tokenizer: { type: 'Sequence', pretokenizers: [{ type: 'WhitespaceSplit' },
            { type: 'Metaspace', replacement: '▁', add_prefix_space: true }] },
        post_processor: { type: 'TemplateProcessing',
            single: [{ SpecialToken: { id: '</s>', type_id: 0 } },
                { Sequence: { id: 'A', type_id: 0 } },
                { SpecialToken: { id: '</s>', type_id: 0 } }],
            pair: [{ Sequence: { id: 'A', type_id: 0 } }, { Sequence: { id: 'B', type_id: 1 } }],
            special_tokens: { '</s>': { id: '</s>', ids: [1], tokens: ['</s>'] } } },
        decoder: { type: 'Metaspace', replacement: '▁', add_prefix_space: true },
        model: { type: 'Unigram', unk_id: 0, vocab },
    });
}

// Plain byte-pair learning on a few sentences written for this file.
function learn(text, n) {
    let words = text.split(' ').map((w) => ['▁', ...w]);
    const merges = [];
    for (let i = 0; i < n; i++) {
        const count = new Map();
        for (const w of words)
            for (let k = 0; k + 1 < w.length; k++)
                count.set(w[k] + ' ' + w[k + 1], (count.get(w[k] + ' ' + w[k + 1]) || 0) + 1);
        const best = [...count].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0];
        if (!best || best[1] < 2)
            break;
        merges.push(best[0]);
        const [l, r] = best[0].split(' ');
        words = words.map((w) => {
            const out = [];
            for (let k = 0; k < w.length; k++)
                if (w[k] === l && w[k + 1] === r)
                    out.push(l + w[k++ + 1]);
                else
                    out.push(w[k]);
            return out;
        });
    }
    return merges;
}

const TEXT = 'the cat that sat on the mat is the same cat that ran over the other mat and then ' +
    'they wanted to see the water under the bridge where all the boats were resting in the ' +
    'evening because the weather was better than in the morning when nothing was moving there ' +
    'le chat était assis sur le tapis et le chien était allé dans le jardin pour chercher des ' +
    'fleurs que les enfants avaient laissées sous les arbres de la petite maison rouge';

function bpe(name, byteFallback) {
    const merges = learn(TEXT, 250);
    const vocab = {};
    const add = (p) => { if (!(p in vocab)) vocab[p] = Object.keys(vocab).length; };
    ['<unk>', '<s>', '</s>'].forEach(add);
    if (byteFallback)
        for (let i = 0; i < 256; i++)
            add('<0x' + i.toString(16).toUpperCase().padStart(2, '0') + '>');
    [...new Set('▁' + TEXT.replaceAll(' ', ''))].forEach(add);
    merges.forEach((m) => add(m.replace(' ', '')));
    const special = ['<unk>', '<s>', '</s>'].map((content, id) => ({ id, content,
        single_word: false, lstrip: false, rstrip: false, normalized: false, special: true }));
    return write(name, {
        version: '1.0', truncation: null, padding: null, added_tokens: special,
        normalizer: byteFallback ? { type: 'Sequence', normalizers: [
            { type: 'Prepend', prepend: '▁' },
            { type: 'Replace', pattern: { String: ' ' }, content: '▁' }] } : { type: 'NFD' },
        pre_tokenizer: byteFallback ? null
            : { type: 'Metaspace', replacement: '▁', prepend_scheme: 'first', split: true },
        post_processor: { type: 'TemplateProcessing',
            single: [{ SpecialToken: { id: '<s>', type_id: 0 } },
                { Sequence: { id: 'A', type_id: 0 } }],
            pair: [{ Sequence: { id: 'A', type_id: 0 } }, { Sequence: { id: 'B', type_id: 1 } }],
            special_tokens: { '<s>': { id: '<s>', ids: [1], tokens: ['<s>'] } } },
        decoder: byteFallback ? { type: 'Sequence', decoders: [
            { type: 'Replace', pattern: { String: '▁' }, content: ' ' }, { type: 'ByteFallback' },
            { type: 'Fuse' }, { type: 'Strip', content: ' ', start: 1, stop: 0 }] } : null,
        model: { type: 'BPE', dropout: null, unk_token: '<unk>', continuing_subword_prefix: null,
            end_of_word_suffix: null, fuse_unk: true, byte_fallback: byteFallback,
            ignore_merges: !byteFallback, vocab,
            merges: byteFallback ? merges : merges.map((m) => m.split(' ')) },
    });
}

const TEXTS = ['', ' ', 'a', 'the cat', 'The cat sat on the mat.', '  two  spaces   here ', 'a ',
    'a\u00a0b', 'tab\tand\nline', 'it was too tired', "L'animal n'a pas traversé la rue",
    'e\u0301te\u0301 d\u2019\u00e9t\u00e9', 'Å \u212b A\u030a', 'x\u0323\u0307 x\u0307\u0323',
    '\ufb01n de \u2460 \u00bd', '日本語', 'mixed 日本 words', '😀', '👩\u200d👩\u200d👧 family',
    '\u1112\u1161\u11ab 한', 'العربية English', 'שלום', 'x</s>y', '</s>', '<unk> typed', '</S>',
    'the <mask> cat', 'a<mask>b', 'ZUG zug Zug', 'sic sics (sic) _sic', '▁', 'a▁b ▁c', '▁▁',
    'aaaaaaaaaaaaaaaa', 'the the the the', 'thethethethe', 'İstanbul ΣΑΣ ß', '\u0301 alone',
    '\u200bzero', '\ufeffmark', 'nothing was moving there', 'mattress', 'été était', '12345 67.8',
    'q', 'qqqq', 'QX zz', '<0x4', '𝄞 \u{1D15E}', 'ﷺ', 'don\'t "quote" (it)', 'e'.repeat(40),
    'The agreement on the European Economic Area was signed in August 1992.',
    'la petite maison rouge', 'le  chat   était ', '...', '\u3000wide\u3000', '½sic', 'क्षि'];

(async () => {
    const cases = [];
    for (const file of [unigram(), unigramPlain(), bpe('bpe.json', true),
        bpe('bpe-plain.json', false)]) {
        const t = Tokenizer.fromFile(path.join(here, file));
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
    const lines = cases.map((c) => JSON.stringify(c));
    fs.writeFileSync(path.join(here, 'expected.json'),
        '{"made_with":"tokenizers 0.23.2 (npm)","cases":[\n' + lines.join(',\n') + '\n]}\n');
})();
