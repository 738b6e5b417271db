import { describe, expect, it } from 'vitest';
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
    expect(isSecretKey(key)).toBe(true);
  });

  it.each(['sta.ssid', 'count', 'channel', 'hostname', 'boot_mode', 'ap.authmode', ''])(
    'shows the value of "%s"',
    (key) => {
      expect(isSecretKey(key)).toBe(false);
    },
  );
});
