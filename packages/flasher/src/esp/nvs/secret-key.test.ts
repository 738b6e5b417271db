import { describe, expect, it } from 'vitest';
import { stringValue } from './nvs-value.ts';
import { isSecretKey } from './secret-key.ts';

describe('isSecretKey', () => {
  it.each([
    'password',
    'wifi_pass',
    'sta.pswd',
    'sta.apsw',
    'sta.pmk',
    'ap.passwd',
    'ap.pmk_info',
    'pwd',
    'MQTT_PWD',
    'psk',
    'api_key',
    'apiKey',
    'auth_token',
    'ClientSecret',
    'credentials',
    'priv_pem',
  ])('hides the value of %s', (key) => {
    expect(isSecretKey('app', key)).toBe(true);
  });

  it.each(['sta.ssid', 'count', 'channel', 'hostname', 'boot_mode', 'ap.authmode', ''])(
    'shows the value of "%s"',
    (key) => {
      expect(isSecretKey('app', key)).toBe(false);
    },
  );

  it('hides private keys by their contents, and the bonds of NimBLE by their namespace', () => {
    expect(isSecretKey('app', 'tls', null, stringValue('-----BEGIN EC PRIVATE KEY-----\nMHcCAQ'))).toBe(true);
    expect(isSecretKey('app', 'tls', stringValue('-----BEGIN CERTIFICATE-----'))).toBe(false);
    expect(isSecretKey('nimble_bond', 'our_sec_1')).toBe(true);
    expect(isSecretKey(null, 'our_1')).toBe(false);
  });
});
