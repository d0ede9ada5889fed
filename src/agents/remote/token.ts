import { open } from 'node:fs/promises'
import { Refusal } from './refusal.ts'

/** Where the token of a service is found: never in the settings themselves, which others may read. */
export type TokenPlace = { readonly env: string } | { readonly file: string }

/** The place as text. */
export const describePlace = (place: TokenPlace) =>
  'env' in place ? `the environment variable ${place.env}` : place.file

/** Reads a token. Other users must not be able to read the file. */
export async function readToken(place: TokenPlace, environment: NodeJS.ProcessEnv): Promise<string> {
  const token = 'env' in place ? environment[place.env] : await readTokenFile(place.file)
  if (token !== undefined && /^[\x21-\x7e]{16,1000}$/.test(token)) return token
  throw new Refusal(
    'no-token',
    `There is no valid token in ${describePlace(place)}. It must have at least 16 visible ASCII characters, without spaces.`,
  )
}

async function readTokenFile(path: string): Promise<string> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw new Refusal('no-token', `The token in ${path} cannot be read (${error.code}).`)
  })
  try {
    const { mode } = await file.stat()
    if ((mode & 0o077) !== 0)
      throw new Refusal(
        'no-token',
        `Other users can read the token in ${path}. To prevent this, run: chmod 600 ${path}`,
      )
    return (await file.readFile('utf8')).trim()
  } finally {
    await file.close()
  }
}
