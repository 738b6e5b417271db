/** Release manager guide: its texts, and what they take from code. */
import { type FamilyId, familyIds, furtherModelsOf, modelName, specifiedModels } from '@wirebench/boards';
import { buildLimits, firmwareEndings } from '@wirebench/contract/builds';
import {
  crashLimits,
  defaultReleaseLimits,
  errorStatus,
  errorText,
  releaseLimits,
} from '@wirebench/contract/constants';
import { memoryText } from '../../../shared/format/bytes.ts';
import type { DocsDocument } from '../docs-model.ts';
import { topicTitles } from '../docs-values.ts';
import { guide } from './guide.md?guide';

const either = new Intl.ListFormat('en', { type: 'disjunction', style: 'short' });
const listed = new Intl.ListFormat('en', { style: 'short' });

/** Endings of all formats but `.bin`, which have their own addresses. */
const addressedEndings = Object.entries(firmwareEndings).flatMap(([format, endings]) =>
  format === 'bin' ? [] : endings,
);

const namesOf = (family: keyof typeof specifiedModels) => specifiedModels[family].map(modelName).join(', ');

const moreOf = (family: FamilyId) => furtherModelsOf(family).map(modelName).join(', ');

export const releasesDocument: DocsDocument = {
  ...guide,
  values: {
    ...topicTitles,
    'crashes.days': crashLimits.days,
    'crashes.groups': crashLimits.groups,
    families: either.format(familyIds),
    formats: listed.format(addressedEndings),
    'limits.buildFiles': buildLimits.files,
    'limits.builds': buildLimits.builds,
    'limits.description': releaseLimits.descriptionMaxLength,
    'limits.fileSize': memoryText(releaseLimits.fileSize),
    'limits.files': releaseLimits.files,
    'limits.name': releaseLimits.nameMaxLength,
    'limits.projects': defaultReleaseLimits.projects,
    'limits.version': releaseLimits.versionMaxLength,
    'limits.versions': defaultReleaseLimits.versions,
    'models.esp': namesOf('esp'),
    'models.stm': namesOf('stm'),
    'more.avr': moreOf('avr'),
    'more.esp': moreOf('esp'),
    'more.nrf': moreOf('nrf'),
    'more.rp': moreOf('rp'),
    'more.stm': moreOf('stm'),
  },
  rows: {
    errors: Object.entries(errorText).map(([code, text]) => [
      code,
      `${errorStatus[code as keyof typeof errorStatus]}`,
      text,
    ]),
  },
};
