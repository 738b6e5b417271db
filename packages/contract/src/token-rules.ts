/** Rules of publishing tokens, which let a program such as a build server publish in its owner's name. */

/** Lengths in UTF-16 code units. */
export const tokenLimits = { nameMaxLength: 60, maxDays: 365, defaultDays: 90, tokensPerUser: 20 } as const;

/** The one thing that a token can be good for: every firmware call of its owner. */
export const tokenScope = 'firmware:write';

/** What every token begins with, so that people and scanners see what they have found. */
export const tokenPrefix = 'wirebench_';

export const tokenText = {
  nameRequired: 'Please enter a name for the token',
  limit: `You have reached the maximum limit of ${tokenLimits.tokensPerUser} tokens. Please delete one before creating another.`,
} as const;
