/** Why something could not be done with a jkit, in the words that people read. */
import { operationFailure } from '../../shared/api/api-error.ts';
import { type JkitAct, operationName } from './model/library-texts.ts';

/** The panel refused the jkit; the words are its own and say it all. */
export class LoadRefused extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'LoadRefused';
  }
}

export function failedActText(act: JkitAct, error: unknown): string {
  return error instanceof LoadRefused ? error.message : operationFailure(operationName[act], error);
}
