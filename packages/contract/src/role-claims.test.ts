import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rolesAt } from './role-claims.ts';

describe('the roles of a token', () => {
  it.each<[string, Readonly<Record<string, unknown>>, readonly string[] | null]>([
    ['realm_access.roles', { realm_access: { roles: ['user', 'admin', 7, null] } }, ['user', 'admin']],
    ['roles', { roles: ['admin'] }, ['admin']],
    ['roles', { roles: 'admin' }, ['admin']],
    ['roles', { roles: '' }, null],
    ['roles', { roles: [] }, []],
    ['roles', { groups: ['admin'] }, null],
    ['resource_access.my.client.roles', { resource_access: { 'my.client': { roles: ['admin'] } } }, ['admin']],
    ['https://bench.example.org/roles', { 'https://bench.example.org/roles': ['admin'] }, ['admin']],
    ['a.b.c', { a: { x: 1 }, 'a.b': { c: ['found'] } }, ['found']],
    ['realm_access.roles', { realm_access: { roles: 'admin' } }, null],
    ['realm_access.roles', { realm_access: 'all' }, null],
    ['realm_access.roles', { realm_access: { roles: { admin: true } } }, null],
    ['realm_access.roles.0', { realm_access: { roles: ['admin'] } }, ['admin']],
    // A map of Zitadel: roles with the organisations that grant them.
    [
      'urn:zitadel:iam:org:project:roles',
      {
        'urn:zitadel:iam:org:project:roles': {
          admin: { '3200': 'lab.example.org' },
          user: { '3200': 'lab.example.org' },
        },
      },
      ['admin', 'user'],
    ],
    ['roles', { roles: { admin: true, user: 'true' } }, ['admin', 'user']],
    ['roles', { roles: { admin: false, user: null, guest: 'false', tester: 1, maker: '', owner: 'denied' } }, []],
    ['roles', { roles: { admin: {}, user: [], guest: ['3200'] } }, ['admin', 'guest']],
    ['roles', { roles: {} }, []],
    ['bench.roles', { bench: { roles: { admin: true } } }, ['admin']],
    // A blank or a comma belongs to the name: this is no admin.
    ['roles', { roles: 'IT admin' }, ['IT admin']],
    ['roles', { roles: 'Sales, admin' }, ['Sales, admin']],
    ['scope', { scope: 'openid  admin' }, ['openid', 'admin']],
    ['bench.scp', { bench: { scp: 'user admin' } }, ['user', 'admin']],
    ['scope', { scope: ' ' }, null],
    ['roles', { roles: '  ' }, null],
    ['roles', { roles: true }, null],
    ['constructor.name', {}, null],
    ['__proto__.roles', {}, null],
  ])('at %s of %j are %j', (path, claims, roles) => {
    expect(rolesAt(claims, path)).toEqual(roles);
  });

  it('are texts or null, whatever the claims contain', () => {
    const claims = fc.dictionary(fc.constantFrom('roles', 'groups', 'a.b', '__proto__'), fc.jsonValue());
    fc.assert(
      fc.property(claims, fc.constantFrom('roles', 'groups.roles', 'a.b', '__proto__.roles'), (value, path) => {
        const roles = rolesAt(value, path);
        expect(roles === null || roles.every((role) => typeof role === 'string')).toBe(true);
      }),
    );
  });

  it('contain every name of a list, in each form of a provider', () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[a-z][\w:.-]{0,10}$/), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(names, (list) => {
        for (const scope of [list, list.join(' '), Object.fromEntries(list.map((name) => [name, true]))]) {
          expect(rolesAt({ scope }, 'scope')).toEqual(expect.arrayContaining(list));
        }
      }),
    );
  });
});
