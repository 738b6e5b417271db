import fc from 'fast-check';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { reservedCharacters, withEncodedPercents, withoutCredentials } from './credential-address.ts';

const password = fc.string({ minLength: 1, unit: fc.constantFrom(..."aZ09/?#@%:&=+ []!$'();,.~_-é") });

describe('address with a password', () => {
  it('is either read by the driver as it is meant, or its characters are named', () => {
    fc.assert(
      fc.property(password, (secret) => {
        const address = `postgres://bench:${secret}@db.example.org:5432/lab`;
        const reserved = reservedCharacters(address);
        expect(reserved.length > 0).toBe(/[/?#]/.test(secret));
        expect(reserved.every((character) => secret.includes(character))).toBe(true);
        if (reserved.length === 0 && !/%[\da-f]{2}/i.test(secret)) {
          const { host, database, password: read } = new Client(withEncodedPercents(address));
          expect([host, database, read]).toEqual(['db.example.org', 'lab', secret]);
        }
      }),
    );
  });

  it('is read as it is meant when the password is percent-encoded', () => {
    fc.assert(
      fc.property(password, (secret) => {
        const address = `postgres://bench:${encodeURIComponent(secret)}@db.example.org/lab`;
        expect(reservedCharacters(address)).toEqual([]);
        expect(withEncodedPercents(address)).toBe(address);
        expect(new Client(address).password).toBe(secret);
      }),
    );
  });

  it('keeps neither user name nor password in a sentence', () => {
    fc.assert(
      fc.property(password, (secret) => {
        expect(withoutCredentials(`https://bench:${secret}@id.example.org/`)).toBe('https://…@id.example.org/');
      }),
    );
  });
});
