/** A certificate that vouches for itself, for tests of TLS. */
import { createAuthority, type Certified } from '../../../examples/parties/certificates.js';

export type SelfSigned = Pick<Certified, 'certificate' | 'key'>;

/** @param name the DNS name that it is for */
export const selfSigned = (name: string): SelfSigned => createAuthority(name);
