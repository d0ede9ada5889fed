import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Readiness } from '../agent.ts'

const run = promisify(execFile)
const patience = 15_000

/** Versions that were tried: from one on, and below another. */
export interface Tested {
  readonly from: string
  readonly below: string
}

/** What is known of a program, to be judged. */
export interface Found {
  readonly version: string | null
  /** Null where it cannot be known, or where none is needed. */
  readonly isLoggedIn: boolean | null
  readonly tested: Tested
  /** What to do when it is too old. */
  readonly update: string
  /** What to do when nobody is logged in. */
  readonly login: string
}

/** Says of a program that is there whether it can be used, and what to do about what is not as it should be. */
export function readinessOf({ version, isLoggedIn, tested, update, login }: Found): Readiness {
  const age = version === null ? null : ageOf(version, tested)
  const words = `${tested.from} up to, but not including, ${tested.below}`
  const told = [
    ...(isLoggedIn === false ? [login] : []),
    ...(age === 'older' ? [`It is older than what was tested (${words}). ${update}`] : []),
    ...(age === 'newer' ? [`It is newer than what was tested (${words}).`] : []),
  ]
  return {
    status: isLoggedIn === false ? 'needs-login' : 'ready',
    version,
    tested: words,
    ...(age !== null && { age }),
    ...(isLoggedIn !== null && { isLoggedIn }),
    advice: told.length === 0 ? null : told.join(' '),
  }
}

/** What is said of a program that is not there. */
export const missing = (advice: string): Readiness => ({ status: 'missing', version: null, advice })

function ageOf(version: string, { from, below }: Tested): 'older' | 'tested' | 'newer' {
  if (isBefore(version, from)) return 'older'
  return isBefore(version, below) ? 'tested' : 'newer'
}

function isBefore(one: string, other: string): boolean {
  const [these, those] = [numbersOf(one), numbersOf(other)]
  const at = those.findIndex((number, index) => (these[index] ?? 0) !== number)
  return at !== -1 && (these[at] ?? 0) < (those[at] ?? 0)
}

const numbersOf = (version: string) => version.split(/[.-]/).slice(0, 3).map(Number)

/** The version that a program tells of itself; null when it cannot be run, or tells none. */
export async function versionOf(program: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  try {
    const { stdout } = await run(program, ['--version'], { env, timeout: patience })
    return versionIn(stdout)
  } catch {
    // Not there, or not to be run: to us that is the same.
    return null
  }
}

/** The version in what a program prints. */
export const versionIn = (text: string): string | null => /\d+\.\d+\.\d+[\w.+-]*/.exec(text)?.[0] ?? null
