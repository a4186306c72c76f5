/**
 * The rule of outgoing addresses: every form of every address means the same, and a connection goes where the check
 * looked.
 */
import { createServer, request } from 'node:http';
import { networkInterfaces } from 'node:os';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { isAddressAllowed, type AddressRule } from '../../server/system/address-rule.ts';
import {
  AddressRefused,
  checkedLookup,
  refuseNumericHost,
  type ResolveName,
} from '../../server/system/connect.ts';
import { document, startTestServer } from '../helpers/server.ts';
import { seededRandom } from '../shared/random.ts';

const wide: AddressRule = { allowPrivateAddresses: true, ownPorts: [] };
const narrow: AddressRule = { allowPrivateAddresses: false, ownPorts: [] };

test.each([
  ['8.8.8.8', true, true],
  ['2606:4700::1111', true, true],
  ['127.0.0.1', false, true],
  ['127.255.0.9', false, true],
  ['::1', false, true],
  ['10.1.2.3', false, true],
  ['172.16.0.1', false, true],
  ['172.32.0.1', true, true],
  ['192.168.1.1', false, true],
  ['100.64.0.1', false, true],
  ['fd00::1', false, true],
  ['fec0::1', false, true],
  ['169.254.169.254', false, false],
  ['169.254.0.23', false, false],
  ['fd00:ec2::254', false, false],
  ['fd00:ec2:0:0:0:0:0:254', false, false],
  ['fd20:ce::254', false, false],
  ['100.100.100.200', false, false],
  ['168.63.129.16', false, false],
  ['192.0.0.192', false, false],
  ['fe80::1%eth0', false, false],
  ['224.0.0.1', false, false],
  ['ff02::1', false, false],
  ['0.0.0.0', false, false],
  ['0.1.2.3', false, false],
  ['255.255.255.255', false, false],
  ['::', false, false],
  ['64:ff9b:1:0:0:0:0:0', false, false],
  ['not an address', false, false],
  ['', false, false],
])('F53 address %s: allowed %s, with private ones %s', (address, publicOnly, withPrivate) => {
  expect([isAddressAllowed(address, 80, narrow), isAddressAllowed(address, 80, wide)]).toEqual([
    publicOnly,
    withPrivate,
  ]);
});

/** The forms of IPv6 that lead to an IPv4 address, each made of its four bytes. */
const forms: Readonly<Record<string, (bytes: readonly number[]) => string>> = {
  mapped: (bytes) => `::ffff:${pairs(bytes)}`,
  'mapped with dots': (bytes) => `::ffff:${bytes.join('.')}`,
  'mapped in full': (bytes) => `0:0:0:0:0:FFFF:${pairs(bytes)}`,
  translated: (bytes) => `::ffff:0:${pairs(bytes)}`,
  compatible: (bytes) => `::${pairs(bytes)}`,
  'compatible with dots': (bytes) => `::${bytes.join('.')}`,
  NAT64: (bytes) => `64:ff9b::${pairs(bytes)}`,
  'local NAT64 /96': (bytes) => `64:ff9b:1::${pairs(bytes)}`,
  'local NAT64 /48': ([a = 0, b = 0, c = 0, d = 0]) =>
    `64:ff9b:1:${hex(a * 256 + b)}:${hex(c)}:${hex(d * 256)}::`,
  'local NAT64 /56': ([a = 0, b = 0, c = 0, d = 0]) =>
    `64:ff9b:1:${hex(a)}:${hex(b)}:${hex(c * 256 + d)}::`,
  'local NAT64 /64': ([a = 0, b = 0, c = 0, d = 0]) =>
    `64:ff9b:1:0:${hex(a)}:${hex(b * 256 + c)}:${hex(d * 256)}:0`,
  '6to4': (bytes) => `2002:${pairs(bytes)}::1`,
  'Teredo server': (bytes) => `2001:0:${pairs(bytes)}::f7f7:f7f7`,
  'Teredo client': (bytes) => `2001:0:808:808::${pairs(bytes.map((byte) => 255 - byte))}`,
  ISATAP: (bytes) => `2606:4700:0:0:0:5efe:${pairs(bytes)}`,
};
const hex = (value: number): string => value.toString(16);
const pairs = ([a = 0, b = 0, c = 0, d = 0]: readonly number[]): string =>
  `${hex(a * 256 + b)}:${hex(c * 256 + d)}`;

const refused = ['169.254.169.254', '224.0.0.1', '100.100.100.200', '255.255.255.255'];
const local = ['127.0.0.1', '10.1.2.3', '192.168.7.9', '172.16.3.4'];

describe.each(Object.entries(forms))('F53 %s', (_name, write) => {
  const bytesOf = (address: string): number[] => address.split('.').map(Number);

  test.each(refused)('of %s is never allowed', (address) => {
    expect(isAddressAllowed(write(bytesOf(address)), 80, wide)).toBe(false);
  });

  test.each(local)('of %s is allowed where private ones are', (address) => {
    expect(isAddressAllowed(write(bytesOf(address)), 80, wide)).toBe(true);
    expect(isAddressAllowed(write(bytesOf(address)), 80, narrow)).toBe(false);
  });

  test('of a public address is allowed', () => {
    expect(isAddressAllowed(write([8, 8, 8, 8]), 80, narrow)).toBe(true);
  });

  test('of any address is allowed no sooner than the address', () => {
    const random = seededRandom(7);
    for (let round = 0; round < 500; round++) {
      // What begins with 0 leads nowhere, and can't be told from padding in the local NAT64.
      const bytes = [1, 256, 256, 256].map(
        (most, at) => random.below(most === 1 ? 255 : most) + (at === 0 ? 1 : 0),
      );
      if (isAddressAllowed(bytes.join('.'), 80, narrow)) continue;
      expect(isAddressAllowed(write(bytes), 80, narrow), write(bytes)).toBe(false);
    }
  });
});

test('F52 own ports are refused on every address of this computer, and on no other', () => {
  const rule = { ...wide, ownPorts: [4820, 5000] };
  const own = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const addresses = ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '2002:7f00:1::'];
  for (const address of [...addresses, ...own.map((one) => one.address)]) {
    for (const port of rule.ownPorts) {
      expect(isAddressAllowed(address, port, rule), `${address} ${port}`).toBe(false);
    }
  }
  expect(isAddressAllowed('127.0.0.1', 4821, rule)).toBe(true);
  // Another computer may run the same program at the same port.
  expect(isAddressAllowed('192.168.254.253', 4820, rule)).toBe(true);
});

test('F53 every spelling of a number is the number', () => {
  const spellings = [
    '127.0.0.1',
    '127.1',
    '0x7f000001',
    '2130706433',
    '0177.0.0.1',
    '0x7f.1',
    '%31%32%37.0.0.1',
    '１２７．０．０．１',
    '127.0.0.1.',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
  ];
  for (const host of spellings) {
    const url = new URL(`http://${host}/`);
    expect(() => refuseNumericHost(url, narrow), host).toThrow(AddressRefused);
    expect(() => refuseNumericHost(url, wide), host).not.toThrow();
  }
});

test('F53 a connection goes to the very address that was checked, whatever the name says next', async () => {
  const server = createServer((_request, response) => response.end('reached'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // listens on TCP
  let asked = 0;
  const answers = ['127.0.0.1', '169.254.169.254'];
  const resolve: ResolveName = (_name, done) =>
    done(null, [{ address: answers[asked++] ?? '', family: 4 }]);
  const ask = (): Promise<string> =>
    new Promise((done, fail) => {
      const lookup = checkedLookup(port, wide, resolve);
      request({ host: 'changing.example', port, lookup, agent: false }, (response) => {
        response.setEncoding('utf8').on('data', done);
      })
        .on('error', fail)
        .end();
    });
  try {
    expect(await ask()).toBe('reached');
    expect(asked).toBe(1);
    await expect(ask()).rejects.toThrow('This address is not allowed (169.254.169.254)');
  } finally {
    server.close();
  }
});

test('D16: addresses that the settings refuse are told before the render, in its words', async () => {
  const server = await startTestServer({ allowPrivateAddresses: false });
  try {
    const image = (source: string): object => ({ type: 'image', source });
    const refused: [address: string, reason: RegExp][] = [
      ['http://127.0.0.1:9/a.png', /\(127\.0\.0\.1\): it belongs to this computer or its network/],
      ['http://0x7f.1/a.png', /\(127\.0\.0\.1\): it belongs/],
      [' HTTP://2130706433/a.png', /\(127\.0\.0\.1\): it belongs/],
      ['https://localhost/a.png', /\(localhost\): it belongs/],
      ['http://a.localhost./a.png', /\(a\.localhost\.\): it belongs/],
      ['http://10.0.0.1/a.png', /\(10\.0\.0\.1\): it belongs/],
      ['http://[::ffff:192.168.0.1]/a.png', /it belongs/],
      ['http://169.254.169.254/latest', /are never reached/],
      [`${server.running.apiUrl}/a.png`, /: Framewright itself listens there/],
      ['file:///etc/hostname', /files outside the media folders cannot be read \(file:/],
      ['/etc/hostname', /files outside the media folders/],
      ['../../secret.png', /files outside the media folders/],
      ['a.png', /the file does not exist \(a\.png\)/],
      ['media:a', /the file does not exist \(media:a\)/],
      ['media:0123456789abcdef0123456789abcdef', /the file does not exist/],
      ['C:\\pictures\\a.png', /the file does not exist/],
      ['~/a.png', /the file does not exist/],
    ];
    const fine = ['http://8.8.8.8/a.png', 'https://localhost.example/a.png', 'data:,', '<svg/>'];
    const font = { family: 'Mine', source: 'http://10.0.0.2/f.ttf' };
    const prompt = { ...image('http://10.0.0.3/'), provider: 'painter' };
    const inside = { type: 'composition', name: 'In', elements: [image('http://10.0.0.4/')] };
    const elements = [...refused.map(([address]) => image(address)), ...fine.map(image)];
    const source = document({}, { fonts: [font], elements: [...elements, prompt, inside] });
    const dry = await server.ask('POST', '/v2/renders', { source, dry_run: true });
    const warned = dry.body.warnings.filter((text: string) => text.includes('The render fails'));
    expect(dry.body.valid).toBe(true);
    expect(warned).toHaveLength(refused.length + 2);
    expect(warned.at(-1)).toMatch(/^fonts\[0\]\.source: The render fails: this .*10\.0\.0\.2/);
    expect(warned.at(-2)).toMatch(/10\.0\.0\.4/);
    for (const [index, [, reason]] of refused.entries()) {
      const sentence = warned[index];
      expect(sentence).toMatch(new RegExp(`^Image ${index + 1}\\.source: The render fails: `));
      expect(sentence).toMatch(reason);
    }
    const created = await server.ask('POST', '/v2/renders', { source });
    expect(created.body.warnings).toEqual(dry.body.warnings);
    const call = { name: 'validate', arguments: { source } };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call };
    const told = await server.ask('POST', '/mcp', message, {
      accept: 'application/json, text/event-stream',
    });
    expect(told.text).toContain('elements[0].source');
    expect(told.text).toContain('The render fails: this address is not allowed (127.0.0.1)');
  } finally {
    await server.stop();
  }
});
