import { createHmac } from 'node:crypto'
import { newToken } from './token.ts'

/** What a browser gets when it signs in. The cookie opens the app; calls also need the page key. */
export interface SignIn {
  readonly cookie: string
  readonly key: string
}

/** Stores a text that changes when browsers are signed out. It must survive a restart, or they would be signed in again. */
export interface SignInSeed {
  read(): string
  write(seed: string): void
}

/** The current sign-in. All browsers share one cookie and key, until all are signed out. */
export interface SignIns {
  current(): SignIn
  /** Signs out every browser. */
  end(): void
}

/** Derives both secrets from the token, so a new token invalidates them. Neither reveals the token or the other. */
export function createSignIns(token: string, seed: SignInSeed): SignIns {
  const made = (purpose: string) =>
    createHmac('sha256', token).update(`dragoman ${purpose} ${seed.read()}`).digest('base64url')
  const make = () => ({ cookie: made('sign-in cookie'), key: made('browser key') })
  let now = make()
  return {
    current: () => now,
    end() {
      seed.write(newToken())
      now = make()
    },
  }
}

/** For servers without storage: a restart forgets the sign-out. */
export function seedInMemory(): SignInSeed {
  let seed = ''
  return { read: () => seed, write: text => void (seed = text) }
}
