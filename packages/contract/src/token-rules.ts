/** Rules of publishing tokens. A program such as a build server uses one to publish in its owner's name. */

/** Lengths in UTF-16 code units. */
export const tokenLimits = { nameMaxLength: 60, maxDays: 365, defaultDays: 90, tokensPerUser: 20 } as const;

/**
 * Scopes of a token: publishing versions of one project, or every firmware call of its owner. Only tokens from before
 * projects could be chosen have the second.
 */
export const tokenScopes = ['firmware:publish', 'firmware:write'] as const;

/** Prefix of every token, so that people and secret scanners recognise it. */
export const tokenPrefix = 'wirebench_';

export const tokenText = {
  nameRequired: 'Please enter a name for the token',
  projectRequired: 'Please choose the project that the token publishes',
  notAllowed: 'This token publishes versions of its project and may do nothing else.',
  mayNotReplace:
    'This token may not replace versions. Create one that may in the release manager, or delete a version there.',
  ownerInactive: 'The owner of this token has not signed in for too long. It works again once the owner signs in.',
  ownerBlocked: 'The owner of this token may not share anything on this server.',
  limit: `You have reached the maximum limit of ${tokenLimits.tokensPerUser} tokens. Please delete one before creating another.`,
} as const;
