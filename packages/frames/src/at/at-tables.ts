/** Words of AT commands: final result codes, unsolicited lines, limits, and parameters of answers by name. */

/** Final result codes in words (ITU-T V.250, table 1; 3GPP 27.007, 9.2; 27.005, 3.2.5), and those of common modules. */
export const finals =
  /^(?:OK|ERROR|\+CM[ES] ERROR:.*|ABORTED|SEND OK|SEND FAIL|SHUT OK|CLOSE OK|CONNECT OK|CONNECT FAIL)$/;
/** Results of a command that makes a connection. For every other command these lines are about a connection of before. */
export const connectionFinals = /^(?:CONNECT(?: .*)?|NO CARRIER|BUSY|NO ANSWER|NO DIAL ?TONE)$/;
export const successes = /^(?:OK|SEND OK|SHUT OK|CLOSE OK|CONNECT OK|CONNECT(?: .*)?)$/;

/** Numeric result codes (V.250, table 1), sent after `ATV0`: digits and a carriage return. */
export const numericResults: Readonly<Record<string, string>> = {
  0: 'OK',
  1: 'CONNECT',
  2: 'RING',
  3: 'NO CARRIER',
  4: 'ERROR',
  6: 'NO DIALTONE',
  7: 'BUSY',
  8: 'NO ANSWER',
};

/** Names in front of `:` that modems send unasked (3GPP 27.007 and 27.005; Quectel, SIMCom and Telit in their manuals). */
export const noticeNames: ReadonlySet<string> = new Set([
  '+CRING',
  '+CLIP',
  '+CCWA',
  '+CDIP',
  '+CMTI',
  '+CMT',
  '+CBM',
  '+CBMI',
  '+CDS',
  '+CDSI',
  '+CUSD',
  '+CSSI',
  '+CSSU',
  '+CTZV',
  '+CTZE',
  '+CGEV',
  '+CIEV',
  '+CSCON',
  '+CNEMIU',
  '+QIURC',
  '+QIND',
  '+QUSIM',
  '+QNTP',
  '+PDP',
  '+IPD',
]);
/** Notices with a line of text after them (27.005, text mode). */
export const noticesWithText: ReadonlySet<string> = new Set(['+CMT', '+CBM', '+CDS']);
/** Whole lines that modems send unasked. */
export const noticeLines =
  /^(?:RING|RDY|READY|APP RDY|SMS DONE|SMS Ready|Call Ready|PB DONE|NORMAL POWER DOWN|POWERED DOWN|WIFI (?:CONNECTED|DISCONNECT|GOT IP)|ready|\d,CLOSED|CLOSED)$/;

/**
 * Answers to a question `AT+NAME?` that have another form than a notice of that name: the answer begins with the mode of
 * the notice (27.007, 7.2 and 10.1.20).
 */
export const questionForms: ReadonlyMap<string, RegExp> = new Map(
  ['+CREG', '+CGREG', '+CEREG', '+C5GREG'].map((name) => [name, /^\s*\d+\s*,\s*\d+\s*(?:,|$)/] as const),
);

/** Answers whose next line is text, which may look like a final result code. */
export const answersWithText: ReadonlySet<string> = new Set(['+CMGL', '+CMGR']);

/** Time for an answer in ms, unless a command below takes longer. */
export const ANSWER_LIMIT = 5_000;
/** Longest times for an answer in ms, as modules name them (Quectel EC2x and SIMCom SIM7000 in their manuals). */
export const slowCommands: readonly (readonly [command: RegExp, limit: number])[] = [
  [/^AT\+COPS/i, 180_000],
  [/^AT\+CGATT|^AT\+CGACT|^AT\+QIACT|^AT\+CIICR/i, 150_000],
  [/^AT\+CMGS|^AT\+CMSS|^AT\+CUSD/i, 120_000],
  [/^AT\+CIPSTART|^AT\+QIOPEN|^AT\+CWJAP|^AT\+CWLAP/i, 75_000],
  [/^ATD|^ATA|^ATO|^ATH/i, 90_000],
  [/^AT\+CFUN|^AT\+CPIN|^AT\+CLCK|^AT\+CMGL|^AT\+CMGD/i, 15_000],
];

/** Names of parameters by the name of a line (3GPP 27.007 and 27.005). */
export const parameterNames: Readonly<Record<string, readonly string[]>> = {
  '+CSQ': ['rssi', 'ber'],
  '+CESQ': ['rxlev', 'ber', 'rscp', 'ecno', 'rsrq', 'rsrp'],
  '+COPS': ['mode', 'format', 'operator', 'act'],
  '+CPIN': ['state'],
  '+CGATT': ['attached'],
  '+CFUN': ['functionality'],
  '+CMGS': ['reference'],
  '+CMTI': ['storage', 'number'],
  '+CCLK': ['time'],
  '+CRING': ['kind'],
  '+CLIP': ['caller', 'type'],
  '+CBC': ['charging', 'level', 'voltage'],
  '+CGDCONT': ['cid', 'pdp', 'apn', 'address'],
  '+CPMS': ['used1', 'total1', 'used2', 'total2', 'used3', 'total3'],
};
const registration = ['stat', 'lac', 'ci', 'act'];
/** Parameters of a registration: those of a notice, after a mode for those of an answer. */
export const registrationNames = { answer: ['mode', ...registration], notice: registration };

const registered: Readonly<Record<string, string>> = {
  0: 'not registered',
  1: 'registered, home network',
  2: 'not registered, searching',
  3: 'registration denied',
  4: 'unknown',
  5: 'registered, roaming',
};
const access: Readonly<Record<string, string>> = {
  0: 'GSM',
  2: 'UTRAN',
  3: 'GSM with EGPRS',
  7: 'E-UTRAN',
  8: 'EC-GSM-IoT',
  9: 'E-UTRAN NB-S1',
  11: 'NR',
};
/** Names of values by the name of the parameter. */
export const parameterValues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  stat: registered,
  act: access,
  attached: { 0: 'detached', 1: 'attached' },
  functionality: { 0: 'minimum', 1: 'full', 4: 'radio off' },
};

/** Errors of the mobile equipment (27.007, 9.2.1). */
export const equipmentErrors: Readonly<Record<string, string>> = {
  0: 'phone failure',
  1: 'no connection to phone',
  2: 'phone-adaptor link reserved',
  3: 'operation not allowed',
  4: 'operation not supported',
  5: 'PH-SIM PIN required',
  10: 'SIM not inserted',
  11: 'SIM PIN required',
  12: 'SIM PUK required',
  13: 'SIM failure',
  14: 'SIM busy',
  15: 'SIM wrong',
  16: 'incorrect password',
  17: 'SIM PIN2 required',
  18: 'SIM PUK2 required',
  20: 'memory full',
  21: 'invalid index',
  22: 'not found',
  23: 'memory failure',
  24: 'text string too long',
  25: 'invalid characters in text string',
  26: 'dial string too long',
  27: 'invalid characters in dial string',
  30: 'no network service',
  31: 'network timeout',
  32: 'network not allowed, emergency calls only',
  50: 'incorrect parameters',
  100: 'unknown',
};

/** Errors of the message service (27.005, 3.2.5). */
export const messageErrors: Readonly<Record<string, string>> = {
  300: 'ME failure',
  301: 'SMS service of ME reserved',
  302: 'operation not allowed',
  303: 'operation not supported',
  304: 'invalid PDU mode parameter',
  305: 'invalid text mode parameter',
  310: 'SIM not inserted',
  311: 'SIM PIN required',
  312: 'PH-SIM PIN required',
  313: 'SIM failure',
  314: 'SIM busy',
  315: 'SIM wrong',
  316: 'SIM PUK required',
  320: 'memory failure',
  321: 'invalid memory index',
  322: 'memory full',
  330: 'SMSC address unknown',
  331: 'no network service',
  332: 'network timeout',
  340: 'no acknowledgement expected',
  500: 'unknown error',
};
