/**
 * Messages of AIS by meaning (Recommendation ITU-R M.1371-5, annex 8): name, bits and reading of each field in their
 * order. Messages that are missing here are shown by type, repeat indicator and MMSI.
 */

/**
 * Reading of bits. `signed`: two's complement. `text`: six bits a character. `divide`: the value is the number
 * divided by this. `none`: this number means that there is no value.
 */
export interface AisReading {
  readonly signed?: boolean;
  readonly text?: boolean;
  readonly divide?: number;
  readonly none?: number;
  readonly unit?: string;
  readonly names?: Readonly<Record<number, string>>;
  readonly label?: string;
  /** Rate of turn, which is no multiple of a unit. */
  readonly step?: 'turn';
}

/** Bits of a field; `rest`: all that follow. Without a reading: an unsigned number. */
export type AisField = readonly [name: string, bits: number | 'rest', reading?: AisReading];

const statuses = {
  0: 'Under way using engine',
  1: 'At anchor',
  2: 'Not under command',
  3: 'Restricted manoeuverability',
  4: 'Constrained by her draught',
  5: 'Moored',
  6: 'Aground',
  7: 'Engaged in fishing',
  8: 'Under way sailing',
  9: 'Reserved for HSC',
  10: 'Reserved for WIG',
  11: 'Reserved',
  12: 'Reserved',
  13: 'Reserved',
  14: 'Reserved',
  15: 'Not defined',
};

const epfds = {
  0: 'Undefined',
  1: 'GPS',
  2: 'GLONASS',
  3: 'Combined GPS/GLONASS',
  4: 'Loran-C',
  5: 'Chayka',
  6: 'Integrated navigation system',
  7: 'Surveyed',
  8: 'Galileo',
};

const hazards = ['all ships of this type', ...['A', 'B', 'C', 'D'].map((letter) => `Hazardous category ${letter}`)];

/** Names of a group of ten types of ships, beginning with `first`. */
function shipGroup(first: number, kind: string, last: string): Record<number, string> {
  const endings = [...hazards, ...Array<string>(4).fill('Reserved for future use'), last];
  return Object.fromEntries(endings.map((ending, index) => [first + index, `${kind} - ${ending}`]));
}

const shipTypes: Readonly<Record<number, string>> = {
  0: 'Not available',
  ...Object.fromEntries(Array.from({ length: 19 }, (_, index) => [index + 1, 'Reserved for future use'])),
  ...shipGroup(20, 'Wing in ground (WIG)', 'Reserved for future use'),
  30: 'Fishing',
  31: 'Towing',
  32: 'Towing: length exceeds 200m or breadth exceeds 25m',
  33: 'Dredging or underwater ops',
  34: 'Diving ops',
  35: 'Military ops',
  36: 'Sailing',
  37: 'Pleasure Craft',
  38: 'Reserved',
  39: 'Reserved',
  ...shipGroup(40, 'High speed craft (HSC)', 'No additional information'),
  50: 'Pilot Vessel',
  51: 'Search and Rescue vessel',
  52: 'Tug',
  53: 'Port Tender',
  54: 'Anti-pollution equipment',
  55: 'Law Enforcement',
  56: 'Spare - Local Vessel',
  57: 'Spare - Local Vessel',
  58: 'Medical Transport',
  59: 'Ship according to RR Resolution No. 18',
  ...shipGroup(60, 'Passenger', 'No additional information'),
  ...shipGroup(70, 'Cargo', 'No additional information'),
  ...shipGroup(80, 'Tanker', 'No additional information'),
  ...shipGroup(90, 'Other Type', 'no additional information'),
};

const aids = {
  0: 'Unspecified',
  1: 'Reference point',
  2: 'RACON',
  3: 'Fixed offshore structure',
  4: 'Reserved for future use',
  5: 'Light, without sectors',
  6: 'Light, with sectors',
  7: 'Leading light front',
  8: 'Leading light rear',
  9: 'Beacon, cardinal N',
  10: 'Beacon, cardinal E',
  11: 'Beacon, cardinal S',
  12: 'Beacon, cardinal W',
  13: 'Beacon, port hand',
  14: 'Beacon, starboard hand',
  15: 'Beacon, preferred channel port hand',
  16: 'Beacon, preferred channel starboard hand',
  17: 'Beacon, isolated danger',
  18: 'Beacon, safe water',
  19: 'Beacon, special mark',
  20: 'Cardinal mark N',
  21: 'Cardinal mark E',
  22: 'Cardinal mark S',
  23: 'Cardinal mark W',
  24: 'Port hand mark',
  25: 'Starboard hand mark',
  26: 'Preferred channel port hand',
  27: 'Preferred channel starboard hand',
  28: 'Isolated danger',
  29: 'Safe water',
  30: 'Special mark',
  31: 'Light vessel, LANBY or rig',
};

const missing = 'not available';
/** Knots in tenths; 1023 means that the speed is unknown. */
const speed = { divide: 10, unit: 'kn', none: 1023, names: { 1022: '102.2 kn or more' } };
const course = { divide: 10, unit: '°', names: { 3600: missing } };
const heading = { unit: '°', names: { 511: missing } };
const lon = { signed: true, divide: 600_000, unit: '°', names: { [181 * 600_000]: missing } };
const lat = { signed: true, divide: 600_000, unit: '°', names: { [91 * 600_000]: missing } };
const second = { unit: 's', names: { 60: missing, 61: 'manual', 62: 'dead reckoning', 63: 'inoperative' } };
const accuracy = { names: { 0: 'above 10 m', 1: '10 m or better' } };
const metres = { unit: 'm' };
const text = { text: true };
const metresTenths = { divide: 10, unit: 'm' };

const head: readonly AisField[] = [
  ['type', 6],
  ['repeat', 2],
  ['mmsi', 30, { label: 'MMSI' }],
];
const position: readonly AisField[] = [
  ['accuracy', 1, accuracy],
  ['lon', 28, lon],
  ['lat', 27, lat],
];
const dimensions: readonly AisField[] = [
  ['to_bow', 9, metres],
  ['to_stern', 9, metres],
  ['to_port', 6, metres],
  ['to_starboard', 6, metres],
];
const shipType: AisField = ['shiptype', 8, { names: shipTypes, label: 'ship' }];
const epfd: AisField = ['epfd', 4, { names: epfds, label: 'position by' }];
const spare = (bits: number): AisField => ['spare', bits];

const classA: readonly AisField[] = [
  ...head,
  ['status', 4, { names: statuses }],
  ['turn', 8, { signed: true, unit: '°/min', step: 'turn' }],
  ['speed', 10, speed],
  ...position,
  ['course', 12, course],
  ['heading', 9, heading],
  ['second', 6, second],
  ['maneuver', 2],
  spare(3),
  ['raim', 1],
  ['radio', 19],
];
const baseStation: readonly AisField[] = [
  ...head,
  ['year', 14],
  ['month', 4],
  ['day', 5],
  ['hour', 5],
  ['minute', 6],
  ['second', 6],
  ...position,
  epfd,
  spare(10),
  ['raim', 1],
  ['radio', 19],
];

/** A message: its name, its fields, and the fields that its row shows. */
export interface AisMessage {
  readonly name: string;
  readonly fields: readonly AisField[];
  readonly row: string;
}

const classARow = 'status lat lon speed course heading';

/** Messages by type; `24.0` and `24.1` are the parts A and B of type 24. */
export const aisMessages: Readonly<Record<string, AisMessage>> = {
  1: { name: 'position', fields: classA, row: classARow },
  2: { name: 'position, assigned schedule', fields: classA, row: classARow },
  3: { name: 'position, interrogated', fields: classA, row: classARow },
  4: { name: 'base station', fields: baseStation, row: 'year month day hour minute second lat lon' },
  5: {
    name: 'ship and voyage',
    fields: [
      ...head,
      ['ais_version', 2],
      ['imo', 30, { label: 'IMO' }],
      ['callsign', 42, text],
      ['shipname', 120, { text: true, label: 'name' }],
      shipType,
      ...dimensions,
      epfd,
      ['month', 4],
      ['day', 5],
      ['hour', 5],
      ['minute', 6],
      ['draught', 8, metresTenths],
      ['destination', 120, text],
      ['dte', 1],
      spare(1),
    ],
    row: 'shipname callsign shiptype destination draught',
  },
  9: {
    name: 'search and rescue aircraft',
    fields: [
      ...head,
      ['alt', 12, { unit: 'm', label: 'altitude', none: 4095, names: { 4094: '4094 m or more' } }],
      ['speed', 10, { unit: 'kn', none: 1023, names: { 1022: '1022 kn or more' } }],
      ...position,
      ['course', 12, course],
      ['second', 6, second],
      ['regional', 8],
      ['dte', 1],
      spare(3),
      ['assigned', 1],
      ['raim', 1],
      ['radio', 20],
    ],
    row: 'lat lon alt speed course',
  },
  11: { name: 'time and date', fields: baseStation, row: 'year month day hour minute second lat lon' },
  14: { name: 'safety message', fields: [...head, spare(2), ['text', 'rest', text]], row: 'text' },
  18: {
    name: 'position, class B',
    fields: [
      ...head,
      ['reserved', 8],
      ['speed', 10, speed],
      ...position,
      ['course', 12, course],
      ['heading', 9, heading],
      ['second', 6, second],
      ['regional', 2],
      ['cs', 1],
      ['display', 1],
      ['dsc', 1],
      ['band', 1],
      ['msg22', 1],
      ['assigned', 1],
      ['raim', 1],
      ['radio', 20],
    ],
    row: 'lat lon speed course heading',
  },
  19: {
    name: 'position, class B, extended',
    fields: [
      ...head,
      ['reserved', 8],
      ['speed', 10, speed],
      ...position,
      ['course', 12, course],
      ['heading', 9, heading],
      ['second', 6, second],
      ['regional', 4],
      ['shipname', 120, { text: true, label: 'name' }],
      shipType,
      ...dimensions,
      epfd,
      ['raim', 1],
      ['dte', 1],
      ['assigned', 1],
      spare(4),
    ],
    row: 'shipname shiptype lat lon speed course heading',
  },
  21: {
    name: 'aid to navigation',
    fields: [
      ...head,
      ['aid_type', 5, { names: aids, label: 'aid' }],
      ['name', 120, text],
      ...position,
      ...dimensions,
      epfd,
      ['second', 6, second],
      ['off_position', 1],
      ['regional', 8],
      ['raim', 1],
      ['virtual_aid', 1],
      ['assigned', 1],
      spare(1),
      ['name_extension', 'rest', text],
    ],
    row: 'name aid_type lat lon',
  },
  '24.0': {
    name: 'ship, class B, part A',
    fields: [...head, ['partno', 2], ['shipname', 120, { text: true, label: 'name' }]],
    row: 'shipname',
  },
  '24.1': {
    name: 'ship, class B, part B',
    fields: [
      ...head,
      ['partno', 2],
      shipType,
      ['vendorid', 18, text],
      ['model', 4],
      ['serial', 20],
      ['callsign', 42, text],
      ...dimensions,
      spare(6),
    ],
    row: 'callsign shiptype',
  },
  27: {
    name: 'position, long range',
    fields: [
      ...head,
      ['accuracy', 1, accuracy],
      ['raim', 1],
      ['status', 4, { names: statuses }],
      ['lon', 18, { signed: true, divide: 600, unit: '°', names: { [181 * 600]: missing } }],
      ['lat', 17, { signed: true, divide: 600, unit: '°', names: { [91 * 600]: missing } }],
      ['speed', 6, { unit: 'kn', names: { 63: missing } }],
      ['course', 9, { unit: '°', names: { 511: missing } }],
      ['gnss', 1],
      spare(1),
    ],
    row: 'status lat lon speed course',
  },
};

/** Fields of every message. */
export const aisHead = head;

/** Types of messages in words, for those that are shown by form. */
export const aisTypes: Readonly<Record<number, string>> = {
  6: 'addressed data',
  7: 'acknowledgement',
  8: 'broadcast data',
  10: 'question for the time',
  12: 'addressed safety message',
  13: 'acknowledgement of a safety message',
  15: 'interrogation',
  16: 'assignment',
  17: 'corrections for GNSS',
  20: 'reservation of slots',
  22: 'channels',
  23: 'assignment to a group',
  25: 'short data',
  26: 'data in slots',
};
