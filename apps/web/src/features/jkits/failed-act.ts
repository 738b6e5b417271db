/** Texts for failed actions on JKits. */
import { operationFailure } from '../../shared/api/api-error.ts';
import { type JkitAct, operationName } from './model/library-texts.ts';

/** Thrown if a panel refuses a JKit. The message is shown unchanged. */
export class LoadRefused extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'LoadRefused';
  }
}

export function failedActText(act: JkitAct, error: unknown): string {
  return error instanceof LoadRefused ? error.message : operationFailure(operationName[act], error);
}
