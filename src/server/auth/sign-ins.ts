import { createHmac } from 'node:crypto'
import { newToken } from './token.ts'

/** What a browser gets when it signs in: the cookie opens the app, calls need the key of the page beside it. */
export interface SignIn {
  readonly cookie: string
  readonly key: string
}

/** Keeps a text that changes when browsers are signed out. It must outlive the server: else they would be signed in again. */
export interface SignInSeed {
  read(): string
  write(seed: string): void
}

/** Who is signed in: every browser has the same cookie and key, until all are signed out. */
export interface SignIns {
  current(): SignIn
  /** Signs out every browser. */
  end(): void
}

/** Both secrets are made from the token, so that a new token ends them too; neither gives it or the other away. */
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

/** For servers without a place to keep it: a restart forgets who was signed out. */
export function seedInMemory(): SignInSeed {
  let seed = ''
  return { read: () => seed, write: text => void (seed = text) }
}
