import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What the database stores of a secret, in hexadecimal digits. */
export function hashOfSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** A second secret that follows from the first, and does not give it away. */
export function derivedSecret(secret: string, purpose: string): string {
  return createHmac('sha256', secret).update(purpose).digest('base64url');
}

/** Takes the same time wherever the texts differ, and whatever their length. */
export function isSameText(one: string, other: string): boolean {
  return timingSafeEqual(
    createHash('sha256').update(one).digest(),
    createHash('sha256').update(other).digest(),
  );
}
