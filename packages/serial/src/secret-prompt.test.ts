import { FakeSerialPort } from '@wirebench/port/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Bench } from './bench.ts';
import { type AskedSecret, secretAskedIn } from './secret-prompt.ts';
import { utf8 } from './testing/line-channels.ts';
import { allRows, connected, type TestRig, testRig } from './testing/test-rig.ts';

/**
 * Prompts as programs print them. Sources: the message catalogues of Debian 12 (sudo 1.9.13, Linux-PAM 1.5.2, util-linux
 * 2.38, cryptsetup 2.6, GnuPG 2.2), OpenSSH, OpenSSL, BusyBox, systemd, Git, RouterOS, IOS, NSH and WebREPL.
 */
const prompts = {
  password: [
    'Password: ',
    'Password:',
    'PASSWORD: ',
    'password? ',
    'Password> ',
    'Enter password ',
    'What is your password? ',
    '[Password]: ',
    'raspberrypi login: Password: ',
    '[sudo] password for pi: ',
    '[sudo: authenticate] Password: ',
    'doas (pi@bench) password: ',
    "root@192.168.7.2's password: ",
    '(pi@bench) Password: ',
    "Password for 'https://pi@git.example.org': ",
    'Current password: ',
    'New password: ',
    'Retype new password: ',
    '(current) UNIX password: ',
    'Enter new UNIX password: ',
    'Retype password: ',
    'Give root password for login: ',
    'Password for login:',
    'New password (4-9 chars): ',
    'Confirm password: ',
    'Enter Export Password:',
    'enter AES-256-CBC encryption password:',
    'Verifying - enter AES-256-CBC encryption password:',
    'A challenge password []:',
    'Enter PASSCODE: ',
    'passwd: ',
    'Wrong password, try again: ',
    'Incorrect password! Try again: ',
    'Enter a password with at least 8 characters: ',
    '🔐 Password: (press TAB for no echo) ',
    // German, French, Spanish, Italian, Portuguese, Dutch, Polish, Russian.
    'Passwort: ',
    '[sudo] Passwort für pi: ',
    'Geben Sie das neue UNIX Passwort erneut ein: ',
    'Root-Passwort zur Anmeldung eingeben:',
    'WLAN-Kennwort: ',
    'Mot de passe : ',
    'Mot de passe\u00a0: ',
    '[sudo] Mot de passe de pi\u00a0: ',
    'Contraseña: ',
    '[sudo] contraseña para pi: ',
    '[sudo] password di pi: ',
    'Password attuale: ',
    'Nuova password UNIX: ',
    'Senha: ',
    'Palavra-passe atual: ',
    'Wachtwoord: ',
    '[sudo] wachtwoord voor pi: ',
    'Hasło: ',
    '[sudo] hasło użytkownika pi: ',
    'Weryfikacja hasła: ',
    'Пароль: ',
    '[sudo] пароль для pi: ',
    'Повторите ввод нового пароля: ',
    // Chinese, Japanese, Korean.
    '密码：',
    '[sudo] pi 的密码：',
    '重新输入新的密码： ',
    '密碼： ',
    'パスワード: ',
    '[sudo] pi のパスワード:',
    'root のパスワードを入力してください: ',
    '암호: ',
    '새 암호 다시 입력: ',
    '비밀번호: ',
    // Others of the catalogues.
    'Heslo: ',
    'Lösenord: ',
    'Adgangskode: ',
    'Nytt UNIX-passord: ',
    '[sudo] pi-käyttäjän salasana: ',
    '[sudo] pi jelszava: ',
    'Yeni parolayı tekrar girin: ',
    'Parolă nouă UNIX: ',
    'Contrasenya: ',
    'Pasahitz berria: ',
    'Parool: ',
    'Slaptažodis: ',
    'Lozinka: ',
    'Лозинка: ',
    'Нова парола: ',
    'Κωδικός πρόσβασης:',
    'Mật khẩu : ',
    'Masukan kata sandi: ',
    'كلمة السر: ',
    'ססמה: ',
  ],
  passphrase: [
    'Enter passphrase: ',
    'Passphrase:',
    'Enter passphrase (empty for no passphrase): ',
    'Enter same passphrase again: ',
    "Enter passphrase for key '/home/pi/.ssh/id_ed25519': ",
    'Bad passphrase, try again for /home/pi/.ssh/id_rsa: ',
    'Enter passphrase for /dev/mmcblk0p2: ',
    'Please enter passphrase for disk data (cryptroot)::',
    'Please enter the passphrase to unlock the OpenPGP secret key:',
    'Enter PEM pass phrase:',
    'Enter pass phrase for device.key:',
    'Verifying - Enter PEM pass phrase:',
    'Enter LUKS passphrase to be deleted: ',
    'Passphrase eingeben: ',
    'Geben Sie die Passphrase für »/dev/sda1« ein: ',
    'Saisissez la phrase secrète\u00a0: ',
    'Introduzca la frase contraseña: ',
    'Inserire la nuova passphrase per lo slot di chiave: ',
    'Digite a frase secreta: ',
    'Введите парольную фразу: ',
    'Фраза-пароль:',
    '输入口令：',
    '請輸入密語: ',
    'パスフレーズを入力してください: ',
    'Lösenfras: ',
    'Indtast adgangsfrase: ',
    'Skriv inn passordfrase: ',
    'Kirjoita salasanalause: ',
    'Introduceți fraza de acces: ',
  ],
  PIN: [
    'PIN:',
    'Enter PIN: ',
    'SIM PIN: ',
    'Enter 4-digit PIN: ',
    'PIN code: ',
    'PIN (4 digits): ',
    'Enter PIN for authenticator: ',
    'Enter PIN for ED25519-SK key /home/pi/.ssh/id: ',
    'Enter token 3 PIN: ',
    'Geben Sie die PIN des Tokens ein: ',
    'PIN-Code: ',
    'Entrez le code PIN du jeton\u00a0: ',
    'Introduzca el PIN del «token»:',
    'Proszę wprowadzić PIN: ',
    'Введите PIN токена: ',
    'Пінкод:',
    'PIN：',
    'トークンPINを入力してください: ',
  ],
} satisfies Record<AskedSecret, readonly string[]>;

/** Unfinished lines that ask for no secret: other prompts, and lines of real boot logs, some of them cut. */
const others = [
  '',
  'login: ',
  'raspberrypi login: ',
  'Username: ',
  'root@bench:~# ',
  '=> ',
  'password: set',
  'password: hunter2',
  'Password changed. Name: ',
  'Password hash: ',
  'Password length: ',
  'Password attempts left: ',
  'Passwords do not match: ',
  'Wrong password for root: ',
  'Failed password for root: ',
  'Changing password for pi: ',
  'Default password: ',
  'Enter user name (password follows): ',
  'Change the password? [y/N]: ',
  'Change the password? ',
  'Password must have 8 characters: ',
  'Set a password (yes/no): ',
  'Passwort ändern (j/n): ',
  'Autoboot in 3 seconds, press "<password>" ',
  'systemd[1]: Started Forward Password Requests to Wall Directory Watch.',
  '[  OK  ] Started Dispatch Password Requests to Console Directory Watch',
  'systemd[1]: systemd-ask-password-console.path: ',
  'I (620) wifi: set password of length 12',
  '[    0.412] pinctrl core: ',
  'pin 4: ',
  'Pin: ',
  'gpio pin: ',
  'Spin: ',
  'PINS: ',
  'PIN 4: ',
  '+CPIN: ',
  '+CPIN: SIM PIN',
  'SPIN: ',
  'PINCTRL: ',
  'Compass word: ',
];

describe('words of prompts', () => {
  for (const secret of ['password', 'passphrase', 'PIN'] as const) {
    it.each(prompts[secret])(`ask for a ${secret}: %j`, (line) => {
      expect(secretAskedIn(line)).toBe(secret);
    });
  }

  it.each(others)('do not ask for a secret: %j', (line) => {
    expect(secretAskedIn(line)).toBeNull();
  });
});

describe('a port at a prompt for a password', () => {
  let test: TestRig;
  let bench: Bench;
  let device: FakeSerialPort;
  const passedOn: string[] = [];
  const asks = () => bench.status().ports[1].asks;
  const receive = async (...chunks: (string | Uint8Array)[]) => {
    for (const chunk of chunks) {
      device.receive(chunk);
      await test.clock.settle();
    }
  };
  const sentRows = () =>
    allRows(bench)
      .filter(({ direction }) => direction === 'sent')
      .map(({ bytes }) => new TextDecoder().decode(bytes));

  beforeEach(async () => {
    passedOn.length = 0;
    test = testRig({ onSent: (_port, bytes) => passedOn.push(new TextDecoder().decode(bytes)) });
    bench = test.bench;
    device = new FakeSerialPort();
    await connected(test, 1, device);
  });

  it('hides one sending, and shows the next', async () => {
    await receive('login: ');
    await bench.send(1, utf8('root\n'));
    await receive('root\r\nPassword: ');
    expect(asks()?.secret).toBe('password');
    await bench.send(1, utf8('hunter2\n'));
    await bench.send(1, utf8('ls\n'));
    expect(sentRows()).toEqual(['root', 'hidden, 8 bytes', 'ls']);
    expect(passedOn).toEqual(['root\n', 'hidden, 8 bytes\n', 'ls\n']);
    expect(new TextDecoder().decode(Uint8Array.from(device.written))).toBe('root\nhunter2\nls\n');
  });

  it('ends with the answer although the prompt stays, and begins with the next prompt', async () => {
    await receive('New password: ');
    const first = asks();
    await bench.send(1, utf8('hunter2\n'));
    expect(asks()).toBeNull();
    await receive('****');
    expect(asks()).toBeNull();
    await receive('\r\nRetype new password: ');
    expect(asks()?.secret).toBe('password');
    expect(asks()?.number).not.toBe(first?.number);
  });

  it('is one prompt while it is drawn in pieces, in colour, and again over itself', async () => {
    await receive('\r\n\x1b[1;33mPass', 'word', ':', ' \x1b[0m');
    const first = asks();
    expect(first?.secret).toBe('password');
    await receive('\r\x1b[KPassword: ', '\rPassword: ');
    expect(asks()).toEqual(first);
  });

  it.each([
    ['colours, a cleared line and a cursor', '\x1b[1mPassword:\x1b[0m\x1b[K \x1b[?25h'],
    ['a title of the window before it', '\x1b]0;console\x07Password: '],
    ['a place on the screen', '\x1b[2J\x1b[10;5HPassword: '],
    ['the NUL of its string', 'Password: \0'],
    ['a bell', 'Password: \x07'],
  ])('is found with %s', async (_what, text) => {
    await receive(`boot\r\n${text}`);
    expect(asks()?.secret).toBe('password');
  });

  it('is known by every byte, also of UTF-8', async () => {
    await receive(...[...utf8('\r\nПароль: ')].map((byte) => Uint8Array.of(byte)));
    expect(asks()?.secret).toBe('password');
  });

  it.each([
    ['a value', 'wifi password: ', 'mynetwork'],
    ['a newline', 'Password: ', '\r\n'],
    ['another prompt over it', 'Password: ', '\r\x1b[K# '],
  ])('ends with %s of the board', async (_what, prompt, rest) => {
    await receive(prompt);
    expect(asks()?.secret).toBe('password');
    await receive(rest);
    expect(asks()).toBeNull();
  });

  it('is no finished line about a password', async () => {
    await receive('Password: \r\n', 'enter password:\r\n# ');
    expect(asks()).toBeNull();
    await bench.send(1, utf8('ls\n'));
    expect(sentRows()).toEqual(['ls']);
  });

  it('is found when its words are in the line before, as sulogin prints it', async () => {
    await receive('Give root password for maintenance\r\n', '(or press Control-D to continue): ');
    expect(asks()?.secret).toBe('password');
    await receive('\r\nPress Enter for maintenance\r\n(or press Control-D to continue): ');
    expect(asks()).toBeNull();
  });

  it('ends with Enter on the keys of a Screen, and not with other keys', async () => {
    await receive('Password: ');
    await bench.type(1, utf8('hunter2'));
    expect(asks()?.secret).toBe('password');
    await bench.type(1, utf8('\r'));
    expect(asks()).toBeNull();
    expect(sentRows()).toEqual([]);
  });

  it('ends with the connection', async () => {
    await receive('Password: ');
    await bench.disconnect(1);
    expect(asks()).toBeNull();
  });

  it('leaves it to the caller who says that the text is shown, or has a name for it', async () => {
    await receive('Password: ');
    await bench.send(1, utf8('hunter2\n'), { hidden: false });
    await receive('\r\nPassword: ');
    await bench.send(1, utf8('hunter3\n'), { hidden: 'login password' });
    expect(sentRows()).toEqual(['hunter2', '[login password, hidden]']);
  });

  it('hides a message of a run in the log and in its transcript', async () => {
    const talk = bench.converse(1);
    await receive('Password: ');
    const exchange = { answers: [], fresh: true, timeout: 0 };
    await talk.exchange({ ...exchange, bytes: utf8('hunter2\n') }, new AbortController().signal);
    await talk.exchange({ ...exchange, bytes: utf8('ls\n') }, new AbortController().signal);
    expect(sentRows()).toEqual(['hidden, 8 bytes', 'ls']);
    expect(talk.end().entries.filter(({ kind }) => kind === 'sent')).toMatchObject([
      { bytes: null, length: 8 },
      { bytes: utf8('ls\n') },
    ]);
  });

  it('hides a pasted line, a repeated message and a rule’s answer, each once', async () => {
    await receive('Password: ');
    await bench.sendLines(1, [utf8('hunter2\n'), utf8('ls\n')], { pause: 0, onSent: () => undefined });
    await receive('\r\nPassword: ');
    const stop = new AbortController();
    const repeating = bench.jobs.repeat(1, utf8('hunter3\n'), 100, { signal: stop.signal });
    await test.clock.advance(150);
    stop.abort();
    await repeating;
    expect(sentRows()).toEqual(['hidden, 8 bytes', 'ls', 'hidden, 8 bytes', 'hunter3']);
  });

  it('is each port’s own', async () => {
    const other = await connected(test, 2);
    await receive('Password: ');
    await bench.send(2, utf8('ls\n'));
    expect(sentRows()).toEqual(['ls']);
    expect(bench.status().ports[2].asks).toBeNull();
    expect(other.written).toHaveLength(3);
  });

  describe('on a watched port', () => {
    const there: string[] = [];
    const hiddenWay = async (bytes: Uint8Array) => void there.push(new TextDecoder().decode(bytes));
    beforeEach(() => {
      there.length = 0;
      bench.watch(1);
      bench.record(1, 'received', utf8('\r\nPassword: '));
    });

    it('goes to the host where it is hidden', async () => {
      expect(asks()?.secret).toBe('password');
      await bench.send(1, utf8('hunter2\n'), { hiddenWay });
      await bench.send(1, utf8('ls\n'), { hiddenWay });
      expect(there).toEqual(['hunter2\n']);
      expect(new TextDecoder().decode(Uint8Array.from(device.written))).toBe('ls\n');
    });

    it('goes as before to a host that cannot hide it', async () => {
      await bench.send(1, utf8('hunter2\n'));
      expect(new TextDecoder().decode(Uint8Array.from(device.written))).toBe('hunter2\n');
    });

    it('is answered when another guest has sent a line', () => {
      bench.record(1, 'sent', utf8('hidden, 8 bytes\n'));
      expect(asks()).toBeNull();
    });

    it('is known from an open line that was printed before the guest came', () => {
      bench.record(1, 'received', utf8('\r\n'));
      bench.recordEarlier(1, { direction: 'received', bytes: utf8('Password: '), at: 0, isOpen: true });
      expect(asks()?.secret).toBe('password');
    });
  });
});
