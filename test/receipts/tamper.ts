/** Every way to change one member of a receipt: each string, number, null, element of an array and member of an object. */

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

export interface Tampered {
  /** Where, and what was done there. */
  what: string;
  text: string;
}

const OTHERS = '0129AFaf+/=Zz -.:{}"';

function* changedStrings(text: string, random: (below: number) => number): Generator<[string, Json]> {
  const at = random(Math.max(1, text.length));
  const other = [...OTHERS].find((character, i) => i >= random(OTHERS.length) && character !== text[at]) ?? '#';
  yield ['a character replaced', text.slice(0, at) + other + text.slice(at + 1)];
  yield ['the last character replaced', text.slice(0, -1) + (text.endsWith('A') ? 'B' : 'A')];
  // The spare bits of base64 stand before the padding.
  const spare = /^(.*)([A-Za-z0-9+/])(=+)$/.exec(text);
  if (spare !== null)
    for (const digit of 'ABCDEFGHQRSTUgw') yield [`${digit} before the padding`, `${spare[1]}${digit}${spare[3]}`];
  yield ['a character more', `${text}0`];
  yield ['a space more', `${text} `];
  yield ['a zero before', `0${text}`];
  yield ['a line feed within', `${text.slice(0, at)}\n${text.slice(at)}`];
  // A path of the same shape may lead to another total.
  if (/^\d+$/.test(text)) for (const by of [1n, -1n]) yield [`${by} added`, String(BigInt(text) + by)];
  yield ['a fraction', text.replace(/(\.\d+)?Z$/, (all) => (all === 'Z' ? '.0Z' : `${all.slice(0, -1)}0Z`))];
  yield ['lower case', text.toLowerCase()];
  yield ['upper case', text.toUpperCase()];
  yield ['nothing', ''];
  yield ['null', null];
}

function* changedValues(value: Json, random: (below: number) => number): Generator<[string, Json]> {
  if (typeof value === 'string') yield* changedStrings(value, random);
  else if (typeof value === 'number')
    for (const other of [
      value + 1,
      value - 1,
      -value,
      value + 0.5,
      value * 256 + 1,
      String(value),
      value !== 0,
      value === 0,
      null,
    ])
      yield [`${other}`, other];
  else if (value === null) for (const other of ['', 'AA==', 0]) yield [JSON.stringify(other), other];
  else if (Array.isArray(value)) {
    yield ['nothing in it', []];
    for (const i of value.keys()) {
      yield [`element ${i} removed`, value.filter((_, at) => at !== i)];
      yield [`element ${i} twice`, value.flatMap((one, at) => (at === i ? [one, one] : [one]))];
      if (i > 0)
        yield [`elements ${i - 1} and ${i} swapped`, value.with(i, value[i - 1] as Json).with(i - 1, value[i] as Json)];
    }
    yield ['an element more', [...value, 'AAAA']];
  } else {
    for (const name of Object.keys(value))
      yield [`${name} removed`, Object.fromEntries(Object.entries(value).filter(([other]) => other !== name)) as Json];
  }
}

function* changedWithin(value: Json, path: string, random: (below: number) => number): Generator<[string, Json]> {
  for (const [what, other] of changedValues(value, random)) yield [`${path}: ${what}`, other];
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    for (const [what, other] of changedWithin(member, `${path}/${name}`, random)) {
      yield [what, Array.isArray(value) ? value.with(Number(name), other) : { ...value, [name]: other }];
    }
  }
}

/** Every tampering of a receipt that leaves another value. */
export function tamperings(receipt: object, random: (below: number) => number): Tampered[] {
  const original = JSON.stringify(receipt);
  const found: Tampered[] = [];
  for (const [what, value] of changedWithin(receipt as Json, '', random)) {
    const text = JSON.stringify(value);
    if (text !== original) found.push({ what, text });
  }
  return found;
}

/** One byte of the text replaced, so that it is still JSON and of another value. */
export function flipByte(text: string, random: (below: number) => number): Tampered {
  const original = JSON.stringify(JSON.parse(text));
  for (;;) {
    const at = random(text.length);
    const character = String.fromCharCode(32 + random(95));
    const flipped = text.slice(0, at) + character + text.slice(at + 1);
    try {
      if (JSON.stringify(JSON.parse(flipped)) !== original)
        return { what: `byte ${at} is ${JSON.stringify(character)}, was ${JSON.stringify(text[at])}`, text: flipped };
    } catch {
      // What is no JSON is refused by every reader.
    }
  }
}
