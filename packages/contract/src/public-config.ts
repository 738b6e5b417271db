/** Configuration that a deployment serves to the web app at run time, so that one build fits every deployment. */
import * as z from 'zod/mini';
import { Count } from './fields.ts';

export const PublicConfig = z.object({
  /** Origin of the API's paths (`API_URL`); empty for the origin of the page. */
  apiUrl: z.string(),
  /**
   * `issuer` is the identity provider's address for browsers; it consists of `url` and `realm`. `rolesClaim` is the
   * path of the roles in its tokens, if it differs from Keycloak's.
   */
  oidc: z.object({
    issuer: z.string(),
    url: z.string(),
    realm: z.string(),
    clientId: z.string(),
    rolesClaim: z.optional(z.string()),
  }),
  latestReleaseUrl: z.string(),
  /** The place for reports of faults: an http, https or mailto address. Missing if the operator named none. */
  issuesUrl: z.optional(z.string().check(z.regex(/^(https?:\/\/|mailto:)/))),
  /** Realm role that opens `/admin`. Has a default, because older servers do not send it. */
  adminRole: z._default(z.string(), 'admin'),
  /**
   * `elfSize` is in bytes. It defaults to 0, because older servers accept no ELF file. `builds` is the maximum of a
   * version; it defaults to 1 for the same reason.
   */
  limits: z.object({
    projects: Count,
    versions: Count,
    jkits: Count,
    elfSize: z._default(Count, 0),
    builds: z._default(Count, 1),
  }),
});
export type PublicConfig = z.infer<typeof PublicConfig>;
