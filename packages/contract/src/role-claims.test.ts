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
    ['constructor.name', {}, null],
    ['__proto__.roles', {}, null],
  ])('at %s of %j are %j', (path, claims, roles) => {
    expect(rolesAt(claims, path)).toEqual(roles);
  });
});
