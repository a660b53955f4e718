/**
 * Requests to put to a stock node and to this service: valid, unusual and malformed ones.
 *
 * Each text of TEXTS stands in eight places of a request of JSON-RPC, each of VALUES in every parameter of a query string.
 */

export interface StockRequest {
  readonly method: 'GET' | 'POST';
  /** At the node; here it follows `/rpc`. */
  readonly path: string;
  /** Absent with GET. */
  readonly body?: Buffer;
  readonly contentType?: string | undefined;
  /** Where in the request the text stands. */
  readonly place: string;
  readonly text: string;
}

const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

/** Bytes as latin1, so that what is not UTF-8 can be written too. */
const TEXTS: readonly string[] = [
  // Scalars, and what looks like them.
  ...['null', 'true', 'false', '0', '-0', '1', '-1', '7', '1.5', '-1.5', '1e2', '1E2', '1e+2', '1E-2', '0.0', '0e0'],
  ...['1.0', '20e1', '123.456e78', '1e400', '-1e400', '1e-400', '4294967296', '-9007199254740991', '9007199254740991'],
  ...['9007199254740993', '9223372036854775807', '9223372036854775808', '-9223372036854775808', '18446744073709551616'],
  ...['+1', '--1', '-', '01', '-01', '00', '.5', '1.', '-1.', '1.e1', '1e', '1e+', '1eE2', '0x1', '1_000', '1,000'],
  ...[
    'NaN',
    'Infinity',
    '-Infinity',
    'nan',
    'undefined',
    'None',
    'True',
    'nul',
    'nulll',
    'tru',
    'falsee',
    'a',
    '*',
    '$',
  ],
  ...['-NaN', '- 1', '1 2', '1a', '0b1', '1e1.5', '1-', '2.e3', '9.e+', '-foo', '1ea', '0.3e', '0.e1', '1.0e-', '1.0e'],
  // Strings.
  ...[
    '""',
    '" "',
    '"a"',
    '"1"',
    '"-1"',
    '"0"',
    '"abc"',
    '"2.0"',
    '"health"',
    '"null"',
    '"true"',
    '"1.0"',
    '"01"',
    '"+1"',
  ],
  ...[String.raw`"\u0061"`, String.raw`"\u0000"`, String.raw`"\"\\\/\b\f\n\r\t"`, String.raw`"\ud83d\ude00"`],
  ...[String.raw`"\ud800"`, String.raw`"\udc00\ud800"`, String.raw`"\ud800x"`, String.raw`"\u2028\u2029"`],
  ...[
    String.raw`"\x41"`,
    String.raw`"\u12"`,
    String.raw`"\u00G0"`,
    String.raw`"\'"`,
    String.raw`"\ "`,
    String.raw`"\U0041"`,
  ],
  ...[
    `"<b>&'"`,
    `'a'`,
    '"',
    '"a',
    'a"',
    String.raw`"a\"`,
    String.raw`"\"`,
    '"\t"',
    '"\n"',
    '"\0"',
    '"\u007f"',
    '"\u001f"',
  ],
  ...['"\u00c3\u00a9"', '"\u00e2\u0082\u00ac"', '"\u00f0\u009f\u0098\u0080"', '"\u00ef\u00bf\u00bf"', '"\u00c2\u0080"'],
  // Not UTF-8: lone, overlong, cut off, a surrogate, beyond the last character.
  ...['"\u00ff"', '"\u00e9"', '"\u00c0\u0080"', '"\u00e0\u0080\u0080"', '"\u00f0\u009f"', '"\u00ed\u00a0\u0080"'],
  ...[
    '"\u00f4\u0090\u0080\u0080"',
    '"\u0080"',
    '"a\u00c3"',
    '\u00ff',
    '\u00ef\u00bb\u00bf1',
    '\u00ef\u00bb\u00bf{}',
    '\u00fe\u00ff',
    '\u0000',
  ],
  `"${'x'.repeat(64)}"`,
  `"${'x'.repeat(65)}"`,
  `"${'x'.repeat(1024)}"`,
  `"${'x'.repeat(1025)}"`,
  // Arrays.
  ...[
    '[]',
    '[ ]',
    '[null]',
    '[1]',
    '["1"]',
    '[1,2]',
    '[[]]',
    '[{}]',
    '[true,false]',
    '["a",1,null,{}]',
    '[1,]',
    '[,1]',
  ],
  ...[
    '[,]',
    '[',
    ']',
    '[1',
    '[1,',
    '[1 2]',
    '["a"',
    '["a",',
    '[1]]',
    '[[1]',
    '[}',
    '[1}',
    '["":1]',
    '["a" "b"]',
    '[1,,2]',
  ],
  ...[
    '[*]',
    '[-]',
    '[1\n,1\n,*',
    '[a',
    '["a\u00e9"]',
    '[\u00ff]',
    '[\u000b1]',
    '[\f1]',
    '[\u00a0]',
    '[ 1 ]',
    '[\t1\r\n]',
    '[""],',
    '["x"',
    '[nu]',
    '[fals]',
    '[tru',
  ],
  // Objects.
  ...[
    '{}',
    '{ }',
    '{"a":1}',
    '{"a":null}',
    '{"a":{}}',
    '{"a":[]}',
    '{"":0}',
    '{"a":1,"a":2}',
    '{"a":1,"b":2}',
    '{"height":"1"}',
  ],
  ...[
    '{"height":1}',
    '{"height":null}',
    '{"HEIGHT":"1"}',
    '{"height":"1","height":"2"}',
    '{"id":1}',
    '{"id":null}',
    '{"method":"health"}',
  ],
  ...[
    '{"id":1,"method":"health"}',
    '{"ID":1,"METHOD":"health"}',
    '{"id":1,"id":2,"method":"health"}',
    '{"jsonrpc":null,"id":1,"method":"health"}',
  ],
  ...['{"id":1,"method":null}', '{"id":1,"method":"health","params":null}', '{"id":1,"method":"health","extra":[1]}'],
  ...[
    '{"id":"a","method":"block","params":{"height":"0"}}',
    '{"id":[],"method":"health"}',
    '{"id":{},"method":"health"}',
    '{"id":true,"method":"health"}',
  ],
  ...[
    '{',
    '}',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,',
    '{"a":1,}',
    '{"a",1}',
    '{"a" 1}',
    '{:1}',
    '{1:1}',
    '{a:1}',
    `{'a':1}`,
    '{,}',
  ],
  ...[
    '{"a":1 "b":2}',
    '{"a":1}}',
    '{"a":1}#',
    '{"a":1}//',
    '{"a":1}/**/',
    '{"a":/*c*/1}',
    '{"a":1,,"b":2}',
    '{"a"::1}',
    '{null:1}',
    '{[]:1}',
    '{"a":}',
    '{"a":"b}',
    '{"\u00ff":1}',
    '{"\\u0061":1,"a":2}',
    '{"__proto__":1}',
    '{"constructor":{"prototype":1}}',
  ],
  // Space, depth, and nothing.
  ...[
    '',
    ' ',
    '\n',
    '\t',
    '\r\n',
    '\u000b',
    '\f',
    '\u00c2\u00a0',
    '\u00e2\u0081\u00a0',
    ' 1',
    '1 ',
    '\n1\n',
    '#',
    '//',
    '/**/1',
    '&',
    '<html>',
    'id=1',
    '%7B%7D',
    '\\',
    '\\u0031',
    '"a"x',
    '1]',
    '1}',
    'nulll,',
    ',',
    ':',
    '::',
    '(',
    'a b',
  ],
  ...[deep(3), deep(28), '{"a":'.repeat(5) + '1' + '}'.repeat(5), '['.repeat(20), '{"a":'.repeat(20), '[{'.repeat(10)],
  // As other programs write JSON.
  ...[
    '[1,2,3]\u0000',
    '{"a":1}\n',
    '\u001e{}',
    ")]}',\n{}",
    'for(;;);{}',
    'while(1);[]',
    'callback({})',
    '{}{}',
    '[][]',
    '1,2',
    '{}\n{}',
    '{"a":0x1}',
    '{"a":1e5}',
    '{"a":.5}',
    '{"a":NaN}',
    '{"a":"\\x"}',
    '{"a":"\t"}',
    '{"a":tru}',
    '{"a":1,"b":',
    '[{"id":1,"method":"health"}]',
    '[{"id":1,"method":"health"},{"id":2,"method":"nope"}]',
  ],
];

const request = (members: { jsonrpc?: string; id?: string; method?: string; params?: string }): string =>
  `{${Object.entries({ jsonrpc: '"2.0"', id: '1', method: '"health"', params: '{}', ...members })
    .map(([name, text]) => `"${name}":${text}`)
    .join(',')}}`;

/** The eight places. A method that a node decides by its parameters alone is called with the odd ones. */
const PLACES: Readonly<Record<string, (text: string) => string>> = {
  'whole body': (text) => text,
  'entry of a batch': (text) => `[${request({ id: '1' })},${text},${request({ id: '3' })}]`,
  jsonrpc: (text) => request({ jsonrpc: text }),
  id: (text) => request({ id: text }),
  method: (text) => request({ method: text }),
  params: (text) => request({ method: '"block"', params: text }),
  'one parameter': (text) => request({ method: '"validators"', params: `{"height":"1","page":${text}}` }),
  'after the request': (text) => request({}) + text,
};

/** Texts of a parameter in a query string. */
const VALUES: readonly string[] = [
  ...['', '1', '"1"', '0', '"0"', '-1', '"-1"', '-9223372036854775808', '9223372036854775807', '9223372036854775808'],
  ...[
    '99999999999999999999',
    '01',
    '"01"',
    '+1',
    '%2B1',
    '1.0',
    '1e0',
    '0x01',
    '0x',
    '0xZZ',
    '0x1',
    '0X01',
    'abc',
    '"abc"',
    '"',
    '""',
    '"a',
    'null',
  ],
  ...[
    'true',
    'false',
    'TRUE',
    '"true"',
    '[]',
    '{}',
    '%20',
    '1%20',
    '%201',
    '%22%5Cu0031%22',
    '%ff',
    '%zz',
    '%',
    '%00',
    "'1'",
    '"asc"',
    '"up"',
    '100',
    '101',
    '1000',
    '"1000"',
  ],
  ...[`0x${'00'.repeat(32)}`, `0x${'00'.repeat(31)}`, `0x${'00'.repeat(20)}`, 'deadbeef', `"${'a'.repeat(600)}"`],
];

/** Methods with every type of parameter, by parameter; the others have what the method cannot do without. */
const QUERIES: readonly (readonly [path: string, parameter: string])[] = [
  ...['block', 'block_results', 'commit', 'consensus_params', 'header', 'validators'].map(
    (method) => [`/${method}?`, 'height'] as const,
  ),
  ['/validators?height=1&', 'page'],
  ['/validators?height=1&', 'per_page'],
  ['/blockchain?maxHeight=1&', 'minHeight'],
  ['/blockchain?minHeight=1&', 'maxHeight'],
  ['/block_by_hash?', 'hash'],
  ['/header_by_hash?', 'hash'],
  ['/tx?', 'hash'],
  ['/genesis_chunked?', 'chunk'],
  ['/unconfirmed_txs?', 'limit'],
  ['/tx_search?query="tx.height=99999"&', 'page'],
  ['/tx_search?query="tx.height=99999"&', 'per_page'],
  ['/tx_search?query="tx.height=99999"&', 'prove'],
  ['/tx_search?query="tx.height=99999"&', 'order_by'],
  ['/tx_search?', 'query'],
  ['/block_search?query="block.height=99999"&', 'page'],
  ['/block_search?', 'query'],
  ['/health?', 'unknown'],
  ['/block?height=1&', 'unknown'],
  ['/block?height=1&', 'height'],
];

/** Escapes what no request line may have, and leaves escapes of its own alone. */
const inQuery = (text: string): string =>
  text.replaceAll(/[^A-Za-z0-9%+.,'()*_~:{}[\]-]/g, (c) => encodeURIComponent(c));

export function jsonRequests(): StockRequest[] {
  return Object.entries(PLACES).flatMap(([place, put]) =>
    [...new Set(TEXTS)].map((text) => ({
      method: 'POST' as const,
      path: '/',
      body: Buffer.from(put(text), 'latin1'),
      contentType: 'application/json',
      place,
      text,
    })),
  );
}

export function queryRequests(): StockRequest[] {
  return QUERIES.flatMap(([start, parameter]) =>
    VALUES.map((text) => {
      const [method = '', query = ''] = start.split('?');
      return {
        method: 'GET' as const,
        path: `${method}?${inQuery(query)
          .replaceAll('%26', '&')
          .replaceAll('%3D', '=')
          .replaceAll(/%22([a-z]+\.height)=/g, '%22$1%3D')}${parameter}=${inQuery(text)}`,
        place: `GET ${method}, ${parameter}`,
        text,
      };
    }),
  );
}

/** What the body is called. */
const CONTENT_TYPES: readonly (string | undefined)[] = [
  ...[
    undefined,
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset=latin1',
  ],
  ...[
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'application/json-rpc',
    'application/octet-stream',
    'nonsense',
  ],
];

export function typedRequests(): StockRequest[] {
  return ['{"jsonrpc":"2.0","id":1,"method":"health"}', '{', ''].flatMap((text) =>
    CONTENT_TYPES.map((contentType) => ({
      method: 'POST' as const,
      path: '/',
      body: Buffer.from(text),
      contentType,
      place: 'Content-Type',
      text: `${contentType} ${text}`,
    })),
  );
}

/** Further places of a request, of which each text is tried on its own. */
export function otherRequests(): StockRequest[] {
  const json = 'application/json';
  const post = (place: string, body: string, path = '/'): StockRequest => ({
    method: 'POST',
    path,
    body: Buffer.from(body),
    contentType: json,
    place,
    text: body.slice(0, 200),
  });
  const get = (place: string, path: string): StockRequest => ({ method: 'GET', path, place, text: path });
  const methods = [
    'block',
    'block_by_hash',
    'block_search',
    'tx',
    'tx_search',
    'header_by_hash',
    'abci_query',
    'check_tx',
    'validators',
    'genesis_chunked',
    'blockchain',
    'unconfirmed_txs',
    'broadcast_tx_sync',
    'broadcast_evidence',
  ];
  return [
    ...methods.map((method) => post('no params', request({ method: `"${method}"` }).replace(',"params":{}', ''))),
    ...methods
      .filter((method) => !method.startsWith('broadcast'))
      .flatMap((method) =>
        ['{}', '[]', '[null]', 'null', '""'].map((params) =>
          post('params of a method', request({ method: `"${method}"`, params })),
        ),
      ),
    post('batch', `[${Array.from({ length: 10 }, (_, id) => request({ id: String(id) })).join()}]`),
    post('batch', `[${Array.from({ length: 11 }, (_, id) => request({ id: String(id) })).join()}]`),
    post('batch', '[]'),
    post('batch', `[${request({})}]`),
    post('batch', `[{"jsonrpc":"2.0","method":"health"},{"jsonrpc":"2.0","method":"health"}]`),
    post('batch', `[[${request({})}]]`),
    post('query of JSON-RPC', request({}), '/?x=1'),
    ...[
      'subscribe',
      'unsubscribe',
      'unsubscribe_all',
      'dial_seeds',
      'unsafe_flush_mempool',
      'nope',
      '',
      'Health',
      'rpc.health',
    ].map((method) => post('method', request({ method: `"${method}"` }))),
    ...[
      '/health',
      '/health?',
      '/health/',
      '/nope',
      '/subscribe',
      '/block/1',
      '/Health',
      '/',
      '/health?a',
      '/health?&&',
      '/block?=1',
      '/tx',
      '/tx_search',
      '/block_search',
      '/block_by_hash',
      '/header_by_hash',
      '/check_tx',
      '/broadcast_evidence',
      '/genesis_chunked',
      '/abci_query',
      '/genesis_chunked?chunk=5',
      '/blockchain?minHeight=5&maxHeight=2',
      '/block?height=1;height=2',
    ].map((path) => get('path', path)),
  ];
}

export const allRequests = (): StockRequest[] => [
  ...jsonRequests(),
  ...queryRequests(),
  ...typedRequests(),
  ...otherRequests(),
];
