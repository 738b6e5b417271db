/** What a deployment says to the web app at run time, so that one build serves any of them. */
import * as z from 'zod/mini';
import { Count } from './fields.ts';

export const PublicConfig = z.object({
  /** Origin in front of the API's paths (`API_URL`); empty for the origin that served the page. */
  apiUrl: z.string(),
  /**
   * `issuer` is the identity provider as the browser sees it; `url` and `realm` are the parts it was built from. `rolesClaim` is where
   * its tokens hold the roles, when that is not Keycloak's place.
   */
  oidc: z.object({
    issuer: z.string(),
    url: z.string(),
    realm: z.string(),
    clientId: z.string(),
    rolesClaim: z.optional(z.string()),
  }),
  latestReleaseUrl: z.string(),
  /** The realm role that opens `/admin`. Optional, because an older server does not say it. */
  adminRole: z._default(z.string(), 'admin'),
  /** `elfSize` is in bytes; a server that does not say it takes no ELF file. */
  limits: z.object({ projects: Count, versions: Count, jkits: Count, elfSize: z._default(Count, 0) }),
});
export type PublicConfig = z.infer<typeof PublicConfig>;
