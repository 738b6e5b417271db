import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { standardActLog } from './mcp/act-log.ts';
import { profilesPath, withProfile } from './profile.ts';
import { wirebench } from './testing/monitored-port.ts';

/** Saves a file of profiles in a configuration folder of its own. */
function saved(content: unknown): { readonly home: string; readonly path: string } {
  const home = mkdtempSync(join(tmpdir(), 'wirebench-profile-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(join(home, 'wirebench'));
  const path = profilesPath({ XDG_CONFIG_HOME: home });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return { home, path };
}

/** Values of options that a command line without them has. */
const none = { failOn: [], reconnect: true };

describe('profiles', () => {
  it('are in the folder of XDG_CONFIG_HOME, and in ~/.config if that is no absolute path', () => {
    const standard = join(homedir(), '.config', 'wirebench', 'profiles.json');
    expect(profilesPath({ XDG_CONFIG_HOME: ' /home/me/conf\r' })).toBe('/home/me/conf/wirebench/profiles.json');
    expect(standardActLog({ XDG_STATE_HOME: '/home/me/state\r' })).toBe('/home/me/state/wirebench/agent-acts.jsonl');
    for (const folder of ['', 'conf', '"/home/me/conf"']) {
      expect(profilesPath({ XDG_CONFIG_HOME: folder }, 'linux')).toBe(standard);
      expect(standardActLog({ XDG_STATE_HOME: folder })).toContain(join(homedir(), '.local', 'state'));
    }
  });

  it('complete a command line, which wins', async () => {
    const lab = {
      ports: ['ttyUSB7'],
      baud: 9600,
      time: true,
      'fail-on': ['panic'],
      'time-format': 'iso',
      'no-reconnect': true,
    };
    const { path } = saved({ lab });
    expect(await withProfile('lab', { ports: [], options: none }, path)).toEqual({
      ports: ['ttyUSB7'],
      options: { baud: '9600', time: true, failOn: ['panic'], timeFormat: 'iso', reconnect: false },
    });
    const own = { ...none, baud: '115200', failOn: ['abort'] };
    expect(await withProfile('lab', { ports: ['x'], options: own }, path)).toMatchObject({
      ports: ['x'],
      options: { baud: '115200', failOn: ['abort'], time: true },
    });
  });

  it.each([
    [{ lab: { bauds: 1 } }, /profiles\.json: lab\.bauds: monitor has no such option\./],
    [{ lab: { profile: 'lab' } }, /lab\.profile: monitor has no such option\./],
    [{ lab: { port: 'ttyUSB0' } }, /lab\.port: the ports of a profile are in "ports"\./],
    [{ lab: { time: 'yes' } }, /lab\.time: it takes true\./],
    [{ lab: { baud: [1] } }, /lab\.baud: it takes a text or a number\./],
    [{ lab: { ports: [{}] } }, /lab\.ports: it takes a list of texts\./],
    [{ bench: {}, desk: {} }, /there is no profile "lab": .*profiles\.json has bench, desk\./],
    [[], /has no object of profiles/],
    ['{', /is no JSON/],
  ])('refuse %j with the place', async (content, message) => {
    const { path } = saved(content);
    await expect(withProfile('lab', { ports: [], options: none }, path)).rejects.toThrow(message);
    await expect(withProfile('lab', { ports: [], options: none }, path)).rejects.toMatchObject({ exitCode: 2 });
  });

  it('are in the configuration folder of the user', () => {
    expect(profilesPath({ XDG_CONFIG_HOME: '/c' }, 'linux')).toBe(join('/c', 'wirebench', 'profiles.json'));
    expect(profilesPath({}, 'linux')).toBe(join(homedir(), '.config', 'wirebench', 'profiles.json'));
    expect(profilesPath({ APPDATA: '/roaming' }, 'win32')).toBe(join('/roaming', 'wirebench', 'profiles.json'));
  });

  it('open their ports', async () => {
    const { home } = saved({ demo: { simulate: 'esp32', until: 'factory firmware', 'fail-on': 'nothing' } });
    const program = wirebench(['monitor', '--profile', 'demo'], { XDG_CONFIG_HOME: home });
    expect(await program.exited).toBe(0);
    expect(program.text()).toContain('factory firmware');
  });
});
