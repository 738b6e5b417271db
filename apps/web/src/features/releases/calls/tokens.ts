/** Calls about publishing tokens. */
import { type NewToken, NewTokenAnswer, type Token, TokenList, tokenPaths } from '@wirebench/contract';
import { api } from '../../../shared/api/api.ts';

/** Newest first, expired ones included. */
export async function tokens(signal: AbortSignal): Promise<Token[]> {
  return (await (await api()).request(tokenPaths.tokens, TokenList, { signal })).tokens;
}

/** The answer carries the secret, this once. */
export async function createToken(token: NewToken): Promise<NewTokenAnswer> {
  return (await api()).request(tokenPaths.tokens, NewTokenAnswer, { method: 'POST', body: token });
}

export async function revokeToken(id: string): Promise<void> {
  await (await api()).send(tokenPaths.token(id), { method: 'DELETE' });
}
