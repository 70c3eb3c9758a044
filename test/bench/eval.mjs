// Measures the classifier on labelled lines: npm run eval -- DIR. Each *.jsonl line: {"shell","command","label"[,"tier","source"]}.
// unsafe: labelled mutating or unknown_ok, and called read_only. recognised: labelled read_only, and called so. Exit 1 if any is unsafe.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { classifyCommand, preparePowerShell } from '../../dist/src/classify/index.js';

const [dir] = process.argv.slice(2);
if (dir === undefined) {
  console.error('usage: npm run eval -- DIR');
  process.exit(2);
}
await preparePowerShell();
const table = {};
const unsafe = [];
for (const file of readdirSync(dir).filter((name) => name.endsWith('.jsonl'))) {
  for (const text of readFileSync(join(dir, file), 'utf8').split(/\r?\n/)) {
    if (text.trim() === '') continue;
    const { shell, command, label, tier } = JSON.parse(text);
    const key = `${file.replace('.jsonl', '')}${tier === undefined ? '' : ` ${tier}`} (${shell})`;
    table[key] ??= { lines: 0, 'read_only labels': 0, recognised: 0, '%': 0, unsafe: 0, 'unknown verdicts': 0 };
    const row = table[key];
    const { effect } = classifyCommand(shell, command);
    row.lines += 1;
    if (effect === 'unknown') row['unknown verdicts'] += 1;
    if (label === 'read_only') {
      row['read_only labels'] += 1;
      if (effect === 'read_only') row.recognised += 1;
      row['%'] = Math.round((1000 * row.recognised) / row['read_only labels']) / 10;
    } else if (effect === 'read_only') {
      row.unsafe += 1;
      unsafe.push(`${shell}\t${label}\t${command}`);
    }
  }
}
console.table(table);
for (const line of unsafe) console.log(`UNSAFE\t${line}`);
process.exit(unsafe.length > 0 ? 1 : 0);
