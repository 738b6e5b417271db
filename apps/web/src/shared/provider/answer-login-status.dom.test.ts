import { describe, expect, it } from 'vitest';
import { isLoginStatus } from './answer-login-status.ts';

const realm = 'https://id.example/auth/realms/any/protocol/openid-connect';

describe('login-status addresses', () => {
  it.each([
    `${realm}/login-status-iframe.html`,
    `${realm}/login-status-iframe.html/init?client_id=wirebench-web&origin=https%3A%2F%2Fx`,
    '/realms/wirebench/protocol/openid-connect/login-status-iframe.html?version=1',
  ])('include %s', (address) => {
    expect(isLoginStatus(address)).toBe(true);
  });

  it.each([
    `${realm}/token`,
    `${realm}/login-status-iframe.html.evil`,
    `${realm}/auth?next=/protocol/openid-connect/login-status-iframe.html`,
    'https://id.example/login-status-iframe.html',
    'http://[',
    '',
  ])('do not include %j', (address) => {
    expect(isLoginStatus(address)).toBe(false);
  });
});
