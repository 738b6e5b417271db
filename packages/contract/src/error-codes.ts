/** Codes of the server's refusals: a closed list, each with its HTTP status and a sentence for people. */
import { jkitText } from './jkit-rules.ts';
import { liveText } from './live-rules.ts';
import { moderationText } from './moderation-rules.ts';
import { publicNameText } from './public-names.ts';
import { pullText } from './pull-rules.ts';
import { releaseText } from './release-rules.ts';
import { tokenText } from './token-rules.ts';

export type ErrorCode =
  | 'invalid-request'
  | 'feedback-sign-in-required'
  | 'feedback-access-denied'
  | 'releases-sign-in-required'
  | 'jkits-sign-in-required'
  | 'jkit-not-yours'
  | 'jkit-yours'
  | 'jkit-changed'
  | 'not-found'
  | 'taken-down'
  | 'share-ended'
  | 'own-taken-down'
  | 'sharing-blocked'
  | 'account-sign-in-required'
  | 'public-name-taken'
  | 'moderation-sign-in-required'
  | 'moderation-access-denied'
  | 'own-account'
  | 'token-not-allowed'
  | 'token-owner-inactive'
  | 'token-owner-blocked'
  | 'project-name-taken'
  | 'version-taken'
  | 'description-changed'
  | 'pull-failed'
  | 'pull-changed'
  | 'project-not-public'
  | 'version-not-public'
  | 'versions-not-visible'
  | 'files-damaged'
  | 'body-too-large'
  | 'unsupported-media-type'
  | 'project-limit'
  | 'version-limit'
  | 'token-limit'
  | 'jkit-limit'
  | 'request-timeout'
  | 'too-many-requests'
  | 'too-many-uploads'
  | 'uploads-busy'
  | 'disk-space-low'
  | 'overloaded'
  | 'star-limit'
  | 'search-busy'
  | 'database-unavailable'
  | 'store-unavailable'
  | 'store-full'
  | 'disk-full'
  | 'bytes-missing'
  | 'identity-unavailable'
  | 'live-sign-in-required'
  | 'live-room-limit'
  | 'live-unavailable'
  | 'live-not-here'
  | 'origin-not-allowed'
  | 'upgrade-required'
  | 'internal-error';

export const errorText = {
  'invalid-request': 'The request is not valid.',
  'feedback-sign-in-required': 'Please sign in to send feedback',
  'releases-sign-in-required': releaseText.signInRequired,
  'jkits-sign-in-required': jkitText.signInRequired,
  'jkit-not-yours': 'You can only save your own JKits.',
  'jkit-yours': jkitText.yours,
  'jkit-changed': jkitText.changed,
  'feedback-access-denied': "Access denied. You don't have permission to view feedback.",
  'not-found': 'There is nothing at this address.',
  'taken-down': moderationText.takenDown,
  'share-ended': releaseText.shareEnded,
  'own-taken-down': moderationText.takenDown,
  'sharing-blocked': 'Your account may not share anything on this server.',
  'account-sign-in-required': 'Please sign in to see your account',
  'public-name-taken': publicNameText.taken,
  'moderation-sign-in-required': moderationText.signInRequired,
  'moderation-access-denied': moderationText.denied,
  'own-account': moderationText.ownAccount,
  'token-not-allowed': tokenText.notAllowed,
  'token-owner-inactive': tokenText.ownerInactive,
  'token-owner-blocked': tokenText.ownerBlocked,
  'project-name-taken': releaseText.nameTaken,
  'version-taken': 'This version already exists in this project. Please use a unique version number.',
  'description-changed': 'This description was changed in the meantime.',
  'pull-failed': pullText.failed,
  'pull-changed': 'This version has other files than when it was taken.',
  'project-not-public': releaseText.notPublic('project'),
  'version-not-public': releaseText.notPublic('version'),
  'versions-not-visible': 'Make this project public before changing the visibility of its versions.',
  'files-damaged': 'A firmware file is damaged.',
  'body-too-large': 'The request is too large.',
  'unsupported-media-type': 'This content type is not supported here.',
  'project-limit':
    'You have reached the maximum limit of projects. Please delete an existing project before creating a new one.',
  'version-limit':
    'You have reached the maximum limit of versions per project. Please delete an existing version before creating a new one.',
  'token-limit': tokenText.limit,
  'jkit-limit': 'All jkit slots are in use. Please delete a jkit before saving a new one.',
  'request-timeout': 'The request took too long to arrive. Please check your connection and try again.',
  'star-limit': jkitText.starLimit,
  'search-busy': 'Many people are searching right now. Please try again in a moment.',
  'too-many-requests': 'Too many requests. Please wait a moment and try again.',
  'too-many-uploads': 'You have other uploads in progress. Please wait until one of them has finished and try again.',
  'uploads-busy': 'The server cannot take more uploads right now. Please try again in a moment.',
  'disk-space-low': 'The server is low on disk space and accepts no uploads. Please tell whoever runs this server.',
  overloaded: 'The server is busy. Please try again in a moment.',
  'database-unavailable': 'The database is not responding. Please try again in a moment.',
  'store-unavailable': 'The file store is not responding. Please try again in a moment.',
  'store-full': 'The file store is full. Please tell whoever runs this server.',
  'disk-full': 'The disk of this server is full. Deleting still works; please tell whoever runs this server.',
  'bytes-missing': 'The bytes of this file are missing or damaged on the server. Please tell whoever runs this server.',
  'identity-unavailable': 'The sign-in service is not responding. Please try again in a moment.',
  'live-sign-in-required': liveText.signInRequired,
  'live-room-limit': 'You are already sharing as many benches as you may. Stop sharing one of them first.',
  'live-unavailable': liveText.unavailable,
  'live-not-here': liveText.notHere,
  'origin-not-allowed': liveText.wrongOrigin,
  'upgrade-required': liveText.upgradeRequired,
  'internal-error': 'Something went wrong on the server. Please try again.',
} satisfies Record<ErrorCode, string>;

/** HTTP status of each code. */
export const errorStatus = {
  'invalid-request': 400,
  'feedback-sign-in-required': 401,
  'releases-sign-in-required': 401,
  'jkits-sign-in-required': 401,
  'feedback-access-denied': 403,
  'jkit-not-yours': 403,
  'jkit-yours': 403,
  'jkit-changed': 409,
  'not-found': 404,
  'taken-down': 410,
  'share-ended': 410,
  'own-taken-down': 409,
  'sharing-blocked': 403,
  'account-sign-in-required': 401,
  'public-name-taken': 409,
  'moderation-sign-in-required': 401,
  'moderation-access-denied': 403,
  'own-account': 409,
  'token-not-allowed': 403,
  'token-owner-inactive': 401,
  'token-owner-blocked': 401,
  'project-name-taken': 409,
  'version-taken': 409,
  'description-changed': 409,
  'pull-failed': 422,
  'pull-changed': 409,
  'project-not-public': 409,
  'version-not-public': 409,
  'versions-not-visible': 409,
  'files-damaged': 400,
  'body-too-large': 413,
  'unsupported-media-type': 415,
  'project-limit': 422,
  'version-limit': 422,
  'token-limit': 422,
  'jkit-limit': 422,
  'request-timeout': 408,
  'too-many-requests': 429,
  'too-many-uploads': 429,
  'uploads-busy': 503,
  'disk-space-low': 503,
  overloaded: 503,
  'star-limit': 422,
  'search-busy': 503,
  'database-unavailable': 503,
  'store-unavailable': 503,
  'store-full': 503,
  'disk-full': 503,
  'bytes-missing': 500,
  'identity-unavailable': 503,
  'live-sign-in-required': 401,
  'live-room-limit': 422,
  'live-unavailable': 503,
  'live-not-here': 404,
  'origin-not-allowed': 403,
  'upgrade-required': 426,
  'internal-error': 500,
} satisfies Record<ErrorCode, number>;
