/**
 * Notices that the unfinished line of a board asks for a password, a passphrase or a PIN. All words are in this file. A
 * finished line asks for nothing, whatever it says.
 */
import { DrawnLine } from './drawn-line.ts';

/** Secret that a prompt asks for, as it is called on the screen. */
export type AskedSecret = 'password' | 'passphrase' | 'PIN';

export interface SecretPrompt {
  readonly secret: AskedSecret;
  /** Number of the prompt on its port. The same prompt keeps it while it is redrawn; the next one has another. */
  readonly number: number;
}

/**
 * Words for a secret in one language, as expressions. Sources: message catalogues of sudo, Linux-PAM, shadow, util-linux,
 * cryptsetup and GnuPG. A word may end a longer one (`WLAN-Passwort`), and stands before letters only where it says so.
 */
interface SecretWords {
  readonly password: string;
  readonly passphrase?: string;
}

/** Words that other languages, and logs, use as well. They ask only in a question (`isQuestion`). */
const english: Required<SecretWords> = { password: 'passw(?:or)?d|passcode', passphrase: 'pass[ -]?phrase' };

const languages: Readonly<Record<string, SecretWords>> = {
  ar: { password: 'كلمة (?:ال)?(?:سر|مرور)' },
  az: { password: 'şifrə\\p{L}*' },
  ca: { password: 'contrasenya' },
  cs: { password: 'hesl[oa]' },
  da: { password: 'adgangskode', passphrase: 'adgangsfrase' },
  de: { password: 'passwort|kennwort' },
  el: { password: 'κωδικ\\p{L}+ πρόσβασης|συνθηματικ\\p{L}+', passphrase: 'φράση κλειδί' },
  eo: { password: 'pasvort\\p{L}*', passphrase: 'pasfraz\\p{L}*' },
  es: { password: 'contraseña', passphrase: 'frase (?:de )?contraseña|frase de paso' },
  et: { password: 'parool\\p{L}*' },
  eu: { password: 'pasahitz\\p{L}*' },
  fi: { password: 'salasana\\p{L}*', passphrase: 'salasanalause\\p{L}*' },
  fr: { password: 'mot de passe', passphrase: 'phrase (?:secrète|de passe)' },
  gl: { password: 'contrasinal' },
  he: { password: 'סי?סמ[הת]' },
  hr: { password: 'lozink[aeu]' },
  hu: { password: 'jelsz[óa]\\p{L}*' },
  id: { password: 'kata sandi|(?<!\\p{L})sandi' },
  ja: { password: 'パスワード\\p{L}*', passphrase: 'パスフレーズ\\p{L}*' },
  ka: { password: 'პაროლ\\p{L}*', passphrase: 'საკვანძო ფრაზა' },
  ko: { password: '암호(?!화)\\p{L}*|비밀번호\\p{L}*' },
  lt: { password: 'slaptažod\\p{L}*' },
  lv: { password: 'parole\\p{L}*' },
  nb: { password: 'passord', passphrase: 'passordfrase' },
  nl: { password: 'wachtwoord', passphrase: 'wachtwoordzin' },
  pl: { password: 'hasł[oa]' },
  pt: { password: 'senha|palavra-passe', passphrase: 'frase secreta|frase-senha' },
  ro: { password: 'parol[aăe]', passphrase: 'fraz\\p{L}+(?: de acces|-parolă)' },
  // The stem also serves Ukrainian, Bulgarian and Kazakh.
  ru: { password: 'парол\\p{L}*', passphrase: 'парольн\\p{L}+ фраз\\p{L}+|фраз\\p{L}+-парол\\p{L}+' },
  sl: { password: 'gesl[oa]' },
  sr: { password: 'лозинк\\p{L}+', passphrase: 'пропусн\\p{L}+ реч' },
  sv: { password: 'lösenord\\p{L}*', passphrase: 'lösenfras' },
  tr: { password: '(?<!\\p{L})parola\\p{L}*|şifre\\p{L}*' },
  vi: { password: 'mật khẩu', passphrase: 'cụm từ mật khẩu' },
  zh: { password: '密[码碼]\\p{L}*', passphrase: '口令\\p{L}*|密[语語]\\p{L}*|密[码碼]短[语語]' },
};

/** In capitals, because pins of a chip are not: `pin 4:`. */
const pin = /(?<![A-Za-zА-я0-9_+])(?:PIN[12]?|ПИН)(?![A-Za-zА-я0-9_])|[Пп]інкод/u;

const oneOf = (words: readonly (string | undefined)[]) =>
  new RegExp(`(?:${words.filter((word) => word !== undefined).join('|')})(?![\\p{L}\\p{N}_])`, 'iu');

const local = Object.values(languages);
/** The first that a line has counts: a passphrase in Spanish has the word for a password in it. */
const secrets: readonly { readonly secret: AskedSecret; readonly words: RegExp; readonly isLocal: boolean }[] = [
  { secret: 'passphrase', words: oneOf(local.map(({ passphrase }) => passphrase)), isLocal: true },
  { secret: 'passphrase', words: oneOf([english.passphrase]), isLocal: false },
  { secret: 'password', words: oneOf(local.map(({ password }) => password)), isLocal: true },
  { secret: 'password', words: oneOf([english.password]), isLocal: false },
  { secret: 'PIN', words: pin, isLocal: false },
];

/** Verbs of a request, in the languages whose prompts use the English words or PIN. */
const request =
  /(?<!\p{L})(?:enter|type|input|give|provide|confirm|verify|geben|eingeben|bestätigen|entrez|saisissez|introdu\p{L}+|ins[ei]r\p{L}+|immett\p{L}+|verifica|digite|wprowadzić|zadejte|voer|ange|indtast|skriv|masuk\p{L}+)(?!\p{L})/iu;
/** Text that may follow the word in a prompt, besides a request. A report about a password goes on with other words. */
const rest =
  /^(?:$|,? ?(?:please )?(?:try )?again|(?:for|of|on|to|at|from|di|per|par|do|de|du|del|des|für|attuale)(?!\p{L})|(?:UNIX|LDAP|NIS|Kerberos|SMB)$|-?(?:code|number|kod|код)(?!\p{L})|.*[^\p{ASCII}])/iu;
/** Words before it in a report. */
const report =
  /(?<!\p{L})(?:wrong|incorrect|invalid|failed|bad|chang(?:ing|ed)|no|empty|missing|weak|default|generated|expired)\s+$/iu;
const repeats = /(?:try|enter) .*again|try again/i;
/** A choice of yes or no, in several languages. */
const choice =
  /[([]\s*(?:y|yes|j|ja|o|oui|s|si|sí|sim|t|tak|д|да)\s*[/|]\s*(?:n|no|nein|non|não|nao|nie|nee|н|нет)\s*[)\]]/iu;
const brackets = /\([^()]*\)|\[[^[\]]*\]/gu;
/** A prompt without a colon has nothing but the word and these. */
const bare = /^(?:(?:please|what is|enter|type|input|your|the|new|old|current)\s+)*$/i;

/**
 * Returns what an unfinished line asks for, or null.
 *
 * @param line Text as a terminal shows it, without colours.
 */
export function secretAskedIn(line: string): AskedSecret | null {
  // A hint may follow: "(press TAB for no echo)".
  const text = line.trimEnd().replace(/([:：])\s*\([^()]*\)$/u, '$1');
  const end = /[:：?？>]$/u.exec(text)?.[0] ?? '';
  if ((end === '' && !/\s$/u.test(line)) || choice.test(text)) {
    return null;
  }
  const body = text.replace(/[\s:：?？>]+$/u, '');
  const outside = body.replaceAll(brackets, ' ');
  const said = /\p{L}/u.test(outside) ? outside : body.replaceAll(/[()[\]]/g, ' ');
  // The last part asks: "login: Password", "Verifying - Enter pass phrase". "Try again" asks with the part before.
  const clause = (
    said.split(/(?:[.!?;:：。！？]\s+|\s-\s)(?!(?:please )?(?:try|enter) .*again)/iu).at(-1) ?? ''
  ).trim();
  for (const { secret, words, isLocal } of secrets) {
    const found = words.exec(clause);
    if (found !== null) {
      const before = clause.slice(0, found.index);
      const after = clause.slice(found.index + found[0].length).trim();
      const asks =
        end === ':' || end === '：' ? isLocal || isQuestion(before, after) : after === '' && bare.test(before);
      return asks ? secret : null;
    }
  }
  return null;
}

function isQuestion(before: string, after: string): boolean {
  if (repeats.test(after)) {
    return true;
  }
  return !report.test(before) && (rest.test(after) || request.test(before) || request.test(after));
}

const LINE_FEED = 0x0a;
/** Control characters at the end as `lineText` writes them: some firmware sends XON. */
const writtenControls = /(?:\\x[01][\da-f])+$/i;
/** Most drawn bytes of a prompt. */
const MAX_PROMPT = 512;

/** The prompt of one port. It is answered once: by what is sent next, whatever that is. */
export class SecretPromptWatch {
  #line = new DrawnLine(MAX_PROMPT);
  /** The line before: sulogin has its words there, and a hint in brackets in the unfinished line. */
  #before = new DrawnLine(MAX_PROMPT);
  #number = 0;
  /** Undefined: bytes came since it was looked for. */
  #prompt: SecretPrompt | null | undefined = null;

  /** The prompt in the unfinished line; null for none, and for one that was answered. */
  get prompt(): SecretPrompt | null {
    if (this.#prompt === undefined) {
      this.#prompt = this.#read();
    }
    return this.#prompt;
  }

  /** Takes a chunk as received. */
  received(bytes: Uint8Array): void {
    const end = bytes.lastIndexOf(LINE_FEED);
    if (end !== -1) {
      const start = bytes.subarray(0, end).lastIndexOf(LINE_FEED) + 1;
      if (start > 0) {
        this.#line.end();
      }
      this.#line.take(bytes.subarray(start, end));
      [this.#line, this.#before] = [this.#before, this.#line];
      this.#next();
    }
    this.#line.take(bytes.subarray(end + 1));
    this.#prompt = undefined;
  }

  /** Call this when bytes were sent to the port: they answer the prompt. A line that asks for nothing goes on. */
  answered(): void {
    if (this.prompt !== null) {
      this.#before.end();
      this.#next();
    }
  }

  /** The connection has ended. */
  reset(): void {
    this.#before.end();
    this.#next();
  }

  #next(): void {
    this.#line.end();
    this.#number++;
    this.#prompt = null;
  }

  #read(): SecretPrompt | null {
    if (this.#line.isEmpty || this.#line.isLong) {
      return null;
    }
    const text = this.#line.text.replace(writtenControls, '');
    const isHint = /^\s*\([^()]*\)\s*[:：]\s*$/u.test(text) && !this.#before.isLong;
    const secret = secretAskedIn(isHint ? `${this.#before.text.trimEnd()} ${text}` : text);
    return secret === null ? null : { secret, number: this.#number };
  }
}
