import type { Readiness } from '../agent.ts'
import { askProgram, type AskLimits } from './ask-program.ts'

/** A range of tested versions: `from` inclusive, `below` exclusive. */
export interface Tested {
  readonly from: string
  readonly below: string
}

/** The program of an agent, and how to install and update it. */
export interface Program {
  /** Its name for people. */
  readonly title: string
  readonly command: string
  /** Its environment. */
  readonly env: NodeJS.ProcessEnv
  /** Null if no version was tested. */
  readonly tested: Tested | null
  /** The command that installs it; null if unknown. */
  readonly install: string | null
  /** What to do if it is too old. */
  readonly update: string
}

/** The result of looking for a program. */
export type Look =
  | { readonly type: 'missing' }
  | { readonly type: 'broken'; readonly path: string; readonly why: string }
  /** A program that can be run, with its version if it reports one. */
  | { readonly type: 'there'; readonly version: string | null }

/** Looks for a program and reads its version. */
export async function lookAt({ command, env }: Program, limits?: AskLimits): Promise<Look> {
  const asked = await askProgram(command, ['--version'], env, limits)
  if (asked.type !== 'answered') return asked
  const { path, out, code, lastWord } = asked
  const version = versionIn(out)
  if (code === 0 || version !== null) return { type: 'there', version }
  const words = lastWord === '' ? '' : `: ${lastWord}`
  return { type: 'broken', path, why: `it failed with exit code ${code}${words}` }
}

/** Whether a user is logged in (null if unknown or not needed), and how to log in. */
export interface Login {
  readonly isLoggedIn: boolean | null
  readonly login: string
}

/** Whether a program that was looked for can be used, and what to do if not. */
export function readinessOf(program: Program, look: Look, { isLoggedIn, login }: Login): Readiness {
  const { tested } = program
  if (look.type === 'missing') return { status: 'missing', version: null, advice: installAdvice(program) }
  if (look.type === 'broken')
    return { status: 'broken', version: null, advice: `${brokenWords(look)} ${mendAdvice(program)}` }
  const { version } = look
  const age = version === null || tested === null ? null : ageOf(version, tested)
  const doubt = ageAdvice(program, version)
  const advice = [...(isLoggedIn === false ? [login] : []), ...(doubt === null ? [] : [`It is ${doubt}`])]
  return {
    status: isLoggedIn === false ? 'needs-login' : 'ready',
    version,
    ...(tested !== null && { tested: testedWords(tested) }),
    ...(age !== null && { age }),
    ...(isLoggedIn !== null && { isLoggedIn }),
    advice: advice.length === 0 ? null : advice.join(' '),
  }
}

const installAdvice = ({ command, install }: Program) =>
  install === null ? `Install "${command}", or add its folder to PATH.` : `Install it: ${install}`

/** Where a program is that cannot be run, and why it cannot. */
export const brokenWords = ({ path, why }: Extract<Look, { readonly type: 'broken' }>) =>
  `Found at ${path}, but it cannot be run: ${why.replace(/\.$/, '')}.`

function mendAdvice({ command, install }: Program): string {
  const again = install === null ? '' : ` To reinstall it: ${install}`
  return `Try "${command} --version" in a terminal.${again}`
}

/** How a version compares with the tested ones, and what to do; null if it was tested. */
export function ageAdvice({ tested, update }: Program, version: string | null): string | null {
  const age = version === null || tested === null ? 'tested' : ageOf(version, tested)
  if (age === 'tested' || tested === null) return null
  const words = `${age} than the tested versions (${testedWords(tested)}).`
  if (age === 'older') return `${words} ${update}`
  return `${words} If something looks wrong, update Dragoman, or use a tested version.`
}

const testedWords = ({ from, below }: Tested) => `${from} up to but not including ${below}`

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

/** The version in a program's output. */
export const versionIn = (text: string): string | null =>
  /\d{1,9}\.\d{1,9}\.\d{1,9}[\w.+-]*/.exec(text)?.[0] ?? null
