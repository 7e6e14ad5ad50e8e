"""Trains one of the two translators until a given time.

    python3 train.py --model transformer --data DIR --work DIR --until 19:05

Resumes from the newest checkpoint in --work. Needs PyTorch, sentencepiece
and gcc; run it with the environment that run.sh sets.
"""

import argparse
import concurrent.futures
import datetime
import faulthandler
import os
import signal
import time

import torch

import amounts
import gru
import referents
import transformer
from common import read_safetensors
from corpus import Corpus, Tokenizer
from export import export
from store import new_tally

MODELS = {"transformer": transformer, "gru": gru}
DEFAULTS = {
    "transformer": {"micro": 1250, "tokens": 2500, "peak": 1.2e-3, "drop": 0.1},
    "gru": {"micro": 1300, "tokens": 2600, "peak": 1.5e-3, "drop": 0.1},
}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--model", choices=sorted(MODELS), required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--until", help="HH:MM, when the last step is made")
    parser.add_argument("--minutes", type=float, help="instead of --until")
    parser.add_argument("--decay", type=float, default=0.2,
                        help="share of this run over which the rate falls to zero")
    parser.add_argument("--threads", type=int, default=1,
                        help="micro-batches of a step at the same time")
    parser.add_argument("--peak", type=float)
    parser.add_argument("--drop", type=float)
    parser.add_argument("--warmup", type=int, default=1200)
    parser.add_argument("--hold", type=int, default=1200,
                        help="step from which the rate falls with the inverse square root")
    parser.add_argument("--average", type=float, default=500.0,
                        help="steps over which the exported mean runs")
    parser.add_argument("--micro", type=int, help="target tokens of a micro-batch")
    parser.add_argument("--tokens", type=int, help="target tokens of a step")
    parser.add_argument("--start", help="folder of an export to begin from, with a new Adam")
    parser.add_argument("--seed", type=int, default=20260)
    parser.add_argument("--part", nargs=2, action="append", default=[],
                        metavar=("WHAT", "SHARE"), help="composition of a round, see corpus.py")
    parser.add_argument("--teach", type=float, default=1.0,
                        help="scale of what the encoder's heads are taught")
    parser.add_argument("--checkpoint-minutes", type=float, default=10.0)
    parser.add_argument("--export-minutes", type=float, default=20.0)
    options = parser.parse_args()
    for name, value in DEFAULTS[options.model].items():
        if getattr(options, name) is None:
            setattr(options, name, value)
    return options


def deadline(options):
    """Seconds of the clock at which training ends."""
    if options.minutes is not None:
        return time.time() + 60.0 * options.minutes
    hour, minute = map(int, options.until.split(":"))
    now = datetime.datetime.now()
    end = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    if end < now:
        end += datetime.timedelta(days=1)
    return end.timestamp()


class Run:
    def __init__(self, options):
        self.o = options
        self.module = MODELS[options.model]
        self.net = self.module.Network(options.seed)
        self.net.drop = options.drop
        self.tokenizer = Tokenizer(os.path.join(options.data, "vocab.model"))
        self.path = os.path.join(options.work, f"{options.model}.pt")
        os.makedirs(os.path.join(options.work, "logs"), exist_ok=True)
        self.log_path = os.path.join(options.work, "logs", f"{options.model}.log")
        self.epoch, self.done, self.spent = 0, 0, 0.0
        self.partners = [self.net.partner() for _ in range(options.threads - 1)]
        self.pool = concurrent.futures.ThreadPoolExecutor(options.threads)
        torch.manual_seed(options.seed)
        if os.path.exists(self.path):
            self.resume()
        elif options.start:
            self.module.load_tensors(
                read_safetensors(os.path.join(options.start, "model.safetensors")),
                self.net.store.w)
            self.net.store.refresh()
        parts = {what: float(share) if "." in share else int(share)
                 for what, share in options.part}
        self.train = Corpus(os.path.join(options.data, "train.tsv"), self.tokenizer,
                            options.seed, parts=parts, generators=generators())
        self.valid = Corpus(os.path.join(options.data, "valid.tsv"), self.tokenizer, 1, False)
        self.valid.pairs = self.valid.pairs[::2]
        self.begin, self.end = time.time(), deadline(options)
        self.decay_from = self.end - options.decay * (self.end - self.begin)
        self.decaying = self.stopping = False
        signal.signal(signal.SIGTERM, self.stop)

    def stop(self, *_):
        """SIGTERM: make this step the last one and save."""
        self.stopping = True

    def log(self, text):
        line = f"{time.strftime('%H:%M:%S')} {text}"
        print(line, flush=True)
        with open(self.log_path, "a", encoding="utf-8") as handle:
            handle.write(line + "\n")

    def resume(self):
        state = torch.load(self.path)
        self.net.store.load(state["store"])
        torch.set_rng_state(state["rng"])
        self.epoch, self.done = state["epoch"] + 1, 0  # a new round, with the corpus as it is now
        self.spent = state["spent"]
        self.log(f"resumed at step {self.net.store.step}, round {self.epoch}")

    def save(self, path):
        state = {
            "store": self.net.store.state(),
            "rng": torch.get_rng_state(),
            "epoch": self.epoch,
            "done": self.done,
            "spent": self.spent + time.time() - self.begin,
        }
        torch.save(state, path + ".part")
        os.replace(path + ".part", path)

    def rate(self):
        """Warm-up, inverse square root, and a linear fall at the end."""
        step = self.net.store.step + 1
        rate = self.o.peak * min(step / self.o.warmup, 1.0, (self.o.hold / step) ** 0.5)
        now = time.time()
        if now > self.decay_from:
            rate *= max(0.01, (self.end - now) / (self.end - self.decay_from))
        return rate

    def validate(self):
        """Loss per token on valid.tsv, with the averaged weights."""
        store = self.net.store
        store.training = False
        held = store.flat["weight"].clone()
        store.flat["weight"].copy_(store.flat["mean"])
        store.half.copy_(store.flat["mean"])
        tallies = fresh()
        with torch.no_grad():
            for group in self.valid.batches(0, 3000):
                self.net.loss(self.valid.tensors(group), 1.0, tallies)
        store.flat["weight"].copy_(held)
        store.half.copy_(held)
        store.training = True
        return tallies

    def gradient(self, step, size, tallies):
        """The gradient of one step; each thread has its own sum and takes the
        next micro-batch when it is done with one."""
        networks = [self.net, *self.partners]
        counts = [fresh() for _ in networks]
        rest = sorted(step, key=lambda batch: batch["target"].numel())

        def work(n):
            while True:
                try:
                    batch = rest.pop()  # atomic
                except IndexError:
                    return
                networks[n].loss(batch, 1.0 / size, counts[n], teach=self.o.teach)

        list(self.pool.map(work, range(len(networks))))
        for other in self.partners:
            self.net.store.take(other.store)
        for count in counts:
            for name, tally in count.items():
                for key, value in tally.items():
                    tallies[name][key] += value

    def go(self):
        o, store = self.o, self.net.store
        last_save = last_export = time.time()
        tallies, logged, tokens = fresh(), time.time(), 0
        while True:
            groups = self.train.batches(self.epoch, o.micro)
            self.log(f"round {self.epoch}: {len(groups)} micro-batches, "
                     f"{sum(map(len, groups))} pairs")
            while self.done < len(groups):
                step = []
                size = 0
                while self.done < len(groups) and (not step or size < o.tokens - o.micro // 2):
                    step.append(self.train.tensors(groups[self.done]))
                    size += int((step[-1]["target"] != 2).sum())
                    self.done += 1
                self.gradient(step, size, tallies)
                average = max(1.0 / o.average, 10.0 / (10.0 + store.step))
                norm = store.update(self.rate(), average)
                tokens += size
                now = time.time()
                if store.step % 100 == 0:
                    self.report(tallies, tokens / (now - logged), norm)
                    tallies, logged, tokens = fresh(), now, 0
                if now > self.decay_from and not self.decaying:
                    self.decaying = True
                    self.save(self.path.replace(".pt", ".before-decay.pt"))
                    self.log("the rate begins to fall")
                if self.stopping:
                    self.save(self.path)
                    self.log(f"stopped at step {store.step}")
                    return
                if now > self.end:
                    self.finish()
                    return
                if now - last_save > 60 * o.checkpoint_minutes:
                    last_save = now
                    self.save(self.path)
                    held = self.validate()
                    self.log("valid " + describe(held))
                if now - last_export > 60 * o.export_minutes or store.step == 300:
                    last_export = now
                    self.export()
            self.epoch, self.done = self.epoch + 1, 0

    def report(self, tallies, speed, norm):
        store = self.net.store
        self.log(f"step {store.step} round {self.epoch} {describe(tallies)} "
                 f"norm {norm:.2f} rate {self.rate():.6f} {speed:.0f} tokens/s")

    def export(self):
        folder = os.path.join(self.o.work, "export", f"en-fr-{self.o.model}")
        export(self.module, self.net.store.mean, folder, self.o.data)

    def finish(self):
        self.save(self.path)
        self.log("valid " + describe(self.validate()))
        self.export()
        self.log(f"done after {(self.spent + time.time() - self.begin) / 60:.1f} minutes")


def generators():
    """Writers of new practice sentences for each round, with their shares."""
    return [(referents.generate, 0.35), (amounts.generate, 0.65)]


def fresh():
    return {name: new_tally() for name in ("words", *transformer.TAUGHT)}


def describe(tallies):
    """Loss per token, and the mean weight that the taught heads put in place."""
    parts = []
    for name, tally in tallies.items():
        if tally["count"]:
            mean = tally["loss"] / tally["count"]
            parts.append(f"{name} {mean:.4f} right {100.0 * tally['right'] / tally['count']:.1f}%"
                         if name == "words" else f"{name} {mean:.2f}")
    return ", ".join(parts)


if __name__ == "__main__":
    faulthandler.register(signal.SIGUSR1)
    torch.set_num_threads(1)
    Run(arguments()).go()
