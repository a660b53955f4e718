/** Payments files as spreadsheets, exports and people write them: each is read for what it says, or its faults are named with what to do. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { developmentAccounts } from '../../server/app/dev-accounts.ts';
import { csvLine, DELIMITERS, parseCsv } from '../../server/cli/payments/csv.ts';
import { placeOf } from '../../server/cli/payments/file-faults.ts';
import { readPayments } from '../../server/cli/payments/payment-file.ts';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';

const [, first, second] = developmentAccounts();
const A = first!.address;
const B = second!.address;

let folder = '';
beforeAll(async () => {
  folder = await temporaryFolder('shapes');
});
afterAll(removeTemporaryFolders);

/** One payment in short: receiver, amount and what else its row has. */
type Row = readonly (string | number)[];

interface Outcome {
  readonly pays?: readonly Row[];
  /** Place and member, and some words of what is said. */
  readonly faults?: readonly (readonly [where: string, words: string])[];
  /** What the whole file is refused with. */
  readonly refused?: string;
}

const AS_TEXT = 'Format the column as text';
const SAVE_AS = 'Save it as "CSV UTF-8".';
const mark = Buffer.from([0xef, 0xbb, 0xbf]);
const utf16le = (text: string): Buffer => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
const utf16be = (text: string): Buffer => utf16le(text).swap16();
const TWO = `to,amount\n${A},1\n${B},2\n`;
const PAYS_TWO: readonly Row[] = [
  [A, '1'],
  [B, '2'],
];

const SHAPES: readonly (readonly [name: string, extension: string, bytes: string | Buffer, outcome: Outcome])[] = [
  ['a plain file', 'csv', TWO, { pays: PAYS_TWO }],
  ['no line end at its end', 'csv', TWO.trimEnd(), { pays: PAYS_TWO }],
  ['CRLF', 'csv', TWO.replaceAll('\n', '\r\n'), { pays: PAYS_TWO }],
  ['a lone CR, as an old Mac writes it', 'csv', TWO.replaceAll('\n', '\r'), { pays: PAYS_TWO }],
  ['line ends of several kinds', 'csv', `to,amount\r\n${A},1\r${B},2\n`, { pays: PAYS_TWO }],
  ['semicolons', 'csv', TWO.replaceAll(',', ';'), { pays: PAYS_TWO }],
  ['tabs, called .tsv', 'tsv', TWO.replaceAll(',', '\t'), { pays: PAYS_TWO }],
  [
    'semicolons, and commas in a reference',
    'csv',
    `to;amount;reference\n${A};1;cups, saucers, spoons\n`,
    { pays: [[A, '1', 'cups, saucers, spoons']] },
  ],
  ['a line that names the separator', 'csv', `sep=;\r\nto;amount\r\n${A};1\r\n${B};2\r\n`, { pays: PAYS_TWO }],
  [
    'a separator that is not read',
    'csv',
    TWO.replaceAll(',', '|'),
    { faults: [['line 1', 'separated by comma, semicolon or tab: to, amount, reference']] },
  ],
  ['UTF-8 with its mark', 'csv', Buffer.concat([mark, Buffer.from(TWO)]), { pays: PAYS_TWO }],
  ['UTF-16 LE with tabs, as Excel saves "Unicode Text"', 'txt', utf16le(TWO.replaceAll(',', '\t')), { pays: PAYS_TWO }],
  ['UTF-16 BE', 'csv', utf16be(TWO), { pays: PAYS_TWO }],
  ['UTF-16 without its mark', 'csv', Buffer.from(TWO, 'utf16le'), { faults: [['', 'UTF-16 without its mark']] }],
  ['UTF-16 that is cut off', 'csv', utf16le(TWO).subarray(0, -1), { faults: [['', 'damaged or cut off']] }],
  [
    'Windows-1252, with the line of its first other character',
    'csv',
    Buffer.from(`to,amount,reference\n${A},1,Cups\n${B},2,Stra\u00dfe\n`, 'latin1'),
    { faults: [['line 3', SAVE_AS]] },
  ],
  ['a workbook called .csv', 'csv', Buffer.from('504b030414000600', 'hex'), { faults: [['', 'this is a workbook']] }],
  ['an old workbook called .csv', 'csv', Buffer.from('d0cf11e0a1b11ae1', 'hex'), { faults: [['', 'old spreadsheet']] }],
  ['a compressed file called .csv', 'csv', Buffer.from('1f8b0800', 'hex'), { faults: [['', 'Unpack it']] }],
  ['a workbook by its name', 'xlsx', '', { refused: 'A workbook has to be saved as "CSV UTF-8" first.' }],
  ['an empty file', 'csv', '', { refused: 'has no rows' }],
  ['nothing but lines of empty cells', 'csv', ',,\r\n,,\r\n', { refused: 'has no rows' }],
  [
    'names in any case, with spaces around them and in another order',
    'csv',
    ` Amount , TO ,Reference, ValidUntil ,NONCE\n1,${A},R,4102444800,7\n`,
    { pays: [[A, '1', 'R', 4102444800, 7]] },
  ],
  ['quoted names and cells', 'csv', `"to","amount"\n"${A}","1"\n"${B}","2"\n`, { pays: PAYS_TWO }],
  ['spaces around quoted cells', 'csv', `to, amount\n${A}, "1"\n "${B}" ,2\n`, { pays: PAYS_TWO }],
  [
    'empty columns and rows at the end',
    'csv',
    `to,amount,,\r\n${A},1,,\r\n${B},2,,\r\n,,,\r\n,,,\r\n`,
    { pays: PAYS_TWO },
  ],
  [
    'empty rows before the names and between the rows',
    'csv',
    `;;\n\nto;amount;\n;;\n${A};1;\n \n${B};2;\n`,
    { pays: PAYS_TWO },
  ],
  [
    'empty cells of optional columns that are left out at the end',
    'csv',
    `to,amount,reference\n${A},1\n${B},2,R\n`,
    {
      pays: [
        [A, '1'],
        [B, '2', 'R'],
      ],
    },
  ],
  [
    'a last line that may be cut off',
    'csv',
    `to,amount,reference\n${A},1,R\n${B},2`,
    {
      faults: [['line 3', 'reference is missing. It is the last line and has no end: the file was perhaps cut off.']],
    },
  ],
  [
    'a cell with a comma that is not in quotes',
    'csv',
    `to,amount\n${A},12,34\n`,
    {
      faults: [
        ['line 2', 'it has 3 cells where the first line has 2. A cell with the separator in it has to be in quotes.'],
      ],
    },
  ],
  [
    'a quoted cell with a line break',
    'csv',
    `to,amount,reference\n${A},1,"two\nlines"\n${B},x,R\n`,
    {
      faults: [
        ['line 2, reference', 'It has a line break within the cell: take it out.'],
        ['line 4, amount', 'no whole number'],
      ],
    },
  ],
  ['a quoted address with a line break at its end', 'csv', `to,amount\n"${A}\n",1\n${B},2\n`, { pays: PAYS_TWO }],
  [
    'a quote that is not closed',
    'csv',
    `to,amount\n${A},x\n"${B},2\n${A},1\n`,
    {
      faults: [
        ['line 2, amount', 'no whole number'],
        ['line 3', 'a quote is opened and not closed'],
      ],
    },
  ],
  [
    'a quote within a cell, and a fault behind it',
    'csv',
    `to,amount,reference\n${A},1,5" pipe\n${B},0,R\n`,
    {
      faults: [
        ['line 2', 'there is text outside the quotes of a cell'],
        ['line 3, amount', 'the amount "0"'],
      ],
    },
  ],
  ['no line of names', 'csv', `${A},1\n${B},2\n`, { faults: [['line 1', 'the first line must name the columns']] }],
  [
    'columns of an export that are not known, a missing one and one twice',
    'csv',
    'to,Name,to,\nx,y,z,\n',
    {
      faults: [
        ['line 1, Name', '"Name" is not known here'],
        ['line 1, to', 'this column is there twice'],
        ['line 1, amount', 'this column is missing'],
      ],
    },
  ],
  ['a column without a name', 'csv', `to,,amount\n${A},note,1\n`, { faults: [['line 1', 'column 2 has no name']] }],
  [
    'numbers that a spreadsheet has shortened',
    'csv',
    `to;amount;reference\n${A};1,2E+05;R\n${A};1;2,02611E+13\n${A};1.5E+06;R\n`,
    {
      faults: [
        ['line 2, amount', '"1,2E+05" is a number that a spreadsheet has shortened, and its digits are lost.'],
        ['line 3, reference', '"2,02611E+13" is a number that a spreadsheet has shortened'],
        ['line 4, amount', '"1.5E+06" is a number'],
      ],
    },
  ],
  [
    'formulas that failed and columns that are too narrow',
    'csv',
    `to,amount,reference\n#N/A,1,R\n${A},#####,R\n${A},1,#REF!\n`,
    {
      faults: [
        ['line 2, to', 'a formula that failed'],
        ['line 3, amount', 'a column that is too narrow'],
        ['line 4, reference', 'a formula that failed'],
      ],
    },
  ],
  [
    'what spreadsheets make of numbers and text',
    'csv',
    `to;amount;nonce;validUntil\n${A};1.234.567;;\n${A};100,00;;\n${A};'5;;\n${A};"=""7""";;\n${A};1;;28.11.2026\n${A};1;WAHR;\n`,
    {
      faults: [
        ['line 2, amount', 'Take the separators between its digits out.'],
        ['line 3, amount', 'A spreadsheet added decimal places.'],
        ['line 4, amount', 'A spreadsheet put an apostrophe before it: take it out.'],
        ['line 5, amount', 'This is a formula of a spreadsheet'],
        ['line 6, validUntil', `A spreadsheet made it a date. ${AS_TEXT}`],
        ['line 7, nonce', 'A spreadsheet made it a truth value.'],
      ],
    },
  ],
  [
    'a no-break space around an amount, and one within an address',
    'csv',
    `to,amount\n${A},\u00a01\n${A.slice(0, 9)}\u00a0${A.slice(9)},1\n`,
    {
      faults: [['line 3, to', 'It has invisible characters: type it again.']],
    },
  ],
  [
    'typographic quotes',
    'csv',
    `to,amount,reference\n${A},1,\u201eR\u201c\n`,
    {
      faults: [['line 2, reference', 'It has typographic quotes: take them out.']],
    },
  ],
  [
    'a line of totals',
    'csv',
    `${TWO}Total,3\n,3\n`,
    {
      faults: [
        ['line 4, to', '"Total" is no address that can be paid'],
        ['line 5, to', 'it is empty; expected the address that is paid.'],
      ],
    },
  ],
  [
    'addresses with a typing error, in capitals, and of no key',
    'csv',
    `to,amount\n${A.replace(/.$/, 'q')}x,1\n${A.toUpperCase()},1\n${A.slice(0, -1)}${A.endsWith('q') ? 'p' : 'q'},1\n`,
    {
      faults: [
        ['line 2, to', 'is no address'],
        ['line 3, to', 'is no address'],
        ['line 4, to', 'the checksum does not match: a character was changed, lost or swapped.'],
      ],
    },
  ],
  [
    'faults of every member in one row',
    'csv',
    'to,amount,reference,validUntil,nonce\nx,0,"a""b",2030-01-01,-1\n',
    {
      faults: [
        ['line 2, to', '"x" is no address that can be paid'],
        ['line 2, amount', 'the amount "0" is no whole number'],
        ['line 2, nonce', 'the nonce "-1" is no whole number'],
        ['line 2, reference', 'is not 1 to 140 printable ASCII characters'],
        ['line 2, validUntil', 'is neither a moment'],
      ],
    },
  ],
  [
    'one nonce three times',
    'csv',
    `to,amount,nonce\n${A},1,7\n${B},2,7\n${B},3,7\n`,
    {
      faults: [
        ['line 3, nonce', 'the nonce 7 is that of line 2'],
        ['line 4, nonce', 'the nonce 7 is that of line 2'],
      ],
    },
  ],
  [
    'JSON with a reference that looks shortened',
    'json',
    JSON.stringify([{ to: A, amount: '1', reference: '1E+05' }]),
    {
      pays: [[A, '1', '1E+05']],
    },
  ],
  [
    'JSON with faults in several items',
    'json',
    JSON.stringify([
      { to: A, amount: 1.5 },
      7,
      { to: A, amount: null },
      { to: A, amount: '1', memo: 'x' },
      { to: A, amount: 0 },
    ]),
    {
      faults: [
        ['item 1, amount', 'it must be text or a whole number below 2^53'],
        ['item 2', 'it must be an object'],
        ['item 3, amount', 'it is missing'],
        ['item 4, memo', 'it is not known here'],
        ['item 5, amount', 'the amount "0" is no whole number'],
      ],
    },
  ],
];

test('there are at least 40 shapes, each under a name of its own', () => {
  expect(SHAPES.length).toBeGreaterThanOrEqual(40);
  expect(new Set(SHAPES.map(([name]) => name)).size).toBe(SHAPES.length);
});

describe('a payments file', () => {
  test.each(SHAPES)('%s', (name, extension, bytes, { pays = [], faults = [], refused }) => {
    const file = path.join(folder, `${SHAPES.findIndex(([each]) => each === name)}.${extension}`);
    writeFileSync(file, bytes);
    if (refused !== undefined) {
      expect(() => readPayments(file)).toThrow(refused);
      return;
    }
    const read = readPayments(file);
    const found = read.faults.map((fault) => [
      [placeOf(fault), fault.member].filter(Boolean).join(', '),
      fault.message,
    ]);
    expect(found.toSorted()).toEqual(
      faults.map(([where, words]) => [where, expect.stringContaining(words)]).toSorted(),
    );
    if (faults.length > 0) return;
    const rows = read.payments.map(({ to, amount, reference, validUntil, nonce }) => [
      to,
      amount,
      reference,
      validUntil,
      nonce,
    ]);
    expect(rows).toEqual(pays.map((row) => Array.from({ length: 5 }, (_, at) => row[at])));
  });
});

test('any cells are read as they were written, with every separator and end of line', () => {
  const cell = fc.string({
    unit: fc.constantFrom('a', '7', ' ', ',', ';', '\t', '"', '\n', '\r\n', '\u00e9'),
    maxLength: 6,
  });
  const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 5 });
  fc.assert(
    fc.property(rows, fc.constantFrom(...DELIMITERS), fc.constantFrom('\n', '\r\n', '\r'), (table, delimiter, end) => {
      const quoted = table.map((row) => row.map((each) => `"${each.replaceAll('"', '""')}"`).join(delimiter) + end);
      const { records, faults } = parseCsv(quoted.join(''), delimiter);
      expect(faults).toEqual([]);
      expect(records.map(({ fields }) => fields)).toEqual(
        table.filter((row) => row.some((each) => each.trim() !== '')),
      );
    }),
  );
});

test('any text is read to its end, and what this program writes is read as it was', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', ',', ';', '"', '\n', '\r', 'z'), maxLength: 6 });
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1, maxLength: 8 }), (cells) => {
      for (const delimiter of DELIMITERS) parseCsv(cells.join(''), delimiter);
      const { records, faults } = parseCsv(csvLine(['x', ...cells]));
      expect([faults, records.map(({ fields }) => fields)]).toEqual([[], [['x', ...cells]]]);
    }),
  );
});
