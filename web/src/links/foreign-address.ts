import { inertString } from '../safety/inert-text.ts'

/** The address of an untrusted link, as shown before it is opened. */
export interface ForeignAddress {
  /** The address in full, in letters that cannot be mistaken. */
  readonly address: string
  /** The host as networks write it (punycode), or the mail address. */
  readonly host: string
  /** Warnings about the address. */
  readonly warnings: readonly string[]
}

const longest = 8_192

/** Parses an address; null unless it is http, https or mailto. */
export function readForeignAddress(written: string): ForeignAddress | null {
  if (written.length > longest || !URL.canParse(written)) return null
  const url = new URL(written)
  if (url.protocol === 'mailto:')
    return { address: url.href, host: inertString(mailOf(url.pathname)), warnings: [] }
  if ((url.protocol !== 'http:' && url.protocol !== 'https:') || url.host === '') return null
  return { address: url.href, host: url.host, warnings: warningsOf(url) }
}

function mailOf(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    // It is not encoded correctly, so it is shown unchanged.
    return path
  }
}

const warningsOf = ({ protocol, hostname, username, password }: URL) => [
  ...(username === '' && password === ''
    ? []
    : ['The address has a user name or password before the host. The real host is shown above.']),
  ...(/(?:^|\.)xn--/.test(hostname) ? ['The host name uses letters that can look like other letters.'] : []),
  ...(protocol === 'http:' && !isOwnMachine(hostname) ? ['The connection is not encrypted.'] : []),
]

const isOwnMachine = (hostname: string) => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
