/** Values of the formats of strings and numbers that schemas name. */
import fc, { type Arbitrary } from 'fast-check';

const day = fc.date({
  min: new Date('1970-01-01T00:00:00Z'),
  max: new Date('2100-01-01T00:00:00Z'),
  noInvalidDate: true,
});

/**
 * Formats of JSON Schema and OpenAPI, and the names of types that documents of dbr use as formats. Each is made when a schema
 * names it: that of a URI takes a second.
 */
export const FORMATS: Readonly<Record<string, () => Arbitrary<string | number>>> = {
  uuid: () => fc.uuid(),
  'date-time': () => day.map((date) => date.toISOString()),
  date: () => day.map((date) => date.toISOString().slice(0, 10)),
  time: () => day.map((date) => date.toISOString().slice(11)),
  email: () => fc.emailAddress({ size: 'small' }),
  uri: () => fc.webUrl({ size: 'small' }),
  'uri-reference': () => fc.webUrl({ size: 'small' }),
  hostname: () => fc.domain({ size: 'small' }),
  ipv4: () => fc.ipV4(),
  ipv6: () => fc.ipV6(),
  byte: () => fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  smallint: () => fc.integer({ min: -32_768, max: 32_767 }),
  'timestamp without time zone': () => day.map((date) => date.toISOString().slice(0, 19)),
  'time without time zone': () => day.map((date) => date.toISOString().slice(11, 19)),
};
