import { foldName, isPrintableAscii } from '../../core/model/host-name.ts';

/** Two names with the same skeleton can be confused. It maps compatibility forms and the letters of three alphabets. */
export function skeletonOf(name: string): string {
  if (isPrintableAscii(name)) return name.toLowerCase();
  const plain = foldName(name.normalize('NFKC')).replace(unseen, '');
  return plain.replace(/\P{ASCII}/gu, (letter) => twins.get(letter) ?? letter);
}

const unseen = /[\p{Cf}\p{Cc}]/gu;

/** Small Cyrillic, Greek and other letters and marks, each with the Latin letter that it looks like. */
const twins: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: 'аα',
    b: 'ьвβ',
    c: 'сϲ',
    d: 'ԁ',
    e: 'еε',
    h: 'һнη',
    i: 'іıι',
    j: 'ј',
    k: 'кκ',
    l: 'ӏ',
    m: 'мμ',
    n: 'пν',
    o: 'оοσ',
    p: 'рρ',
    q: 'ԛ',
    s: 'ѕ',
    t: 'тτ',
    u: 'υ',
    v: 'ѵ',
    w: 'ԝω',
    x: 'хχ',
    y: 'уγү',
    z: 'ζ',
    '-': '‐‑‒–—−',
    "'": "''ʼ",
  }).flatMap(([latin, others]) => Array.from(others, (other) => [other, latin] as const)),
);
