import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { lookAt, readinessOf, versionIn, type Look, type Program } from './readiness.ts'

const program: Program = {
  title: 'Tool',
  command: 'tool',
  env: {},
  tested: { from: '1.18.0', below: '1.20' },
  install: 'npm install -g tool',
  update: 'Update it.',
}
const judge = (version: string | null, isLoggedIn: boolean | null = null) =>
  readinessOf(program, { type: 'there', version }, { isLoggedIn, login: 'Log in.' })

/** The result of looking for a shell script in place of the program. */
async function look(script: string | null): Promise<Look> {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-look-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  if (script !== null) writeFileSync(join(folder, 'tool'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return lookAt({ ...program, env: { PATH: `${folder}:/usr/bin:/bin` } }, { quietMs: 500, mostMs: 1_000 })
}

describe('whether a program can be used', () => {
  it('[A12] a tested version is ready, and the tested versions are listed', () => {
    const tested = '1.18.0 up to but not including 1.20'
    expect(judge('1.18.0')).toEqual({
      status: 'ready',
      version: '1.18.0',
      tested,
      age: 'tested',
      advice: null,
    })
    expect(judge('1.19.99', true)).toMatchObject({ age: 'tested', isLoggedIn: true, advice: null })
    expect(judge(null)).toEqual({ status: 'ready', version: null, tested, advice: null })
  })

  it('[A12] versions that are too old or too new are reported, with what to do', () => {
    for (const version of ['1.17.200', '1.2.0', '0.99.0'])
      expect(judge(version)).toMatchObject({ status: 'ready', age: 'older' })
    expect(judge('1.17.0').advice).toMatch(/older than the tested versions .* Update it\.$/)
    for (const version of ['1.20.0', '1.20.0-beta.1', '2.0.0'])
      expect(judge(version)).toMatchObject({ age: 'newer' })
    expect(judge('2.0.0').advice).toMatch(
      /newer than the tested versions .* looks wrong, update Dragoman, or/,
    )
  })

  it('[A12] without a login, how to log in comes first', () => {
    expect(judge('1.18.1', false)).toMatchObject({
      status: 'needs-login',
      isLoggedIn: false,
      advice: 'Log in.',
    })
    expect(judge('1.0.0', false).advice).toMatch(/^Log in\. It is older/)
  })

  it('[A12] a missing program is distinguished from a broken one, with the reason', async () => {
    expect(await look(null)).toEqual({ type: 'missing' })
    expect(await look('echo 1.19.0')).toEqual({ type: 'there', version: '1.19.0' })
    expect(await look('echo what')).toEqual({ type: 'there', version: null })
    expect(await look('echo 1.19.0; exit 1')).toEqual({ type: 'there', version: '1.19.0' })
    expect(await look('echo a >&2; echo "No disk" >&2; exit 1')).toMatchObject({
      type: 'broken',
      why: 'it failed with exit code 1: No disk',
    })
    expect(await look('sleep 6666')).toMatchObject({ type: 'broken' })
  })

  it('[A12] each status says what to do', () => {
    const nobody = { isLoggedIn: null, login: '' }
    expect(readinessOf(program, { type: 'missing' }, nobody)).toEqual({
      status: 'missing',
      version: null,
      advice: 'Install it: npm install -g tool',
    })
    const broken = { type: 'broken', path: '/bin/tool', why: 'it failed with exit code 1: No disk.' } as const
    expect(readinessOf(program, broken, nobody)).toEqual({
      status: 'broken',
      version: null,
      advice:
        'Found at /bin/tool, but it cannot be run: it failed with exit code 1: No disk. Try "tool --version" in a terminal. To reinstall it: npm install -g tool',
    })
  })

  it('[A12] the version is found in any output', () => {
    expect(versionIn('codex-cli 0.166.0-alpha.2 (x)')).toBe('0.166.0-alpha.2')
    expect(versionIn('no number')).toBeNull()
  })
})
