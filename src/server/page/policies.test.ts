import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Guard } from '../auth/guard.ts'
import { createPage } from './page.ts'

const folder = mkdtempSync(join(tmpdir(), 'dragoman-page-'))
beforeAll(() => {
  mkdirSync(join(folder, 'assets'))
  for (const name of [
    'index.html',
    'diagram.html',
    'worker.js',
    'assets/highlight.worker-1.js',
    'assets/app-1.css',
  ])
    writeFileSync(join(folder, name), '')
  writeFileSync(join(folder, 'diagram.html'), '<body><script> one() </script></body>')
})
afterAll(() => rmSync(folder, { recursive: true }))

async function policyOf(path: string): Promise<ReadonlyMap<string, string>> {
  // `file` is called only after the sign-in check.
  const response = await createPage({} as Guard, folder).file(path)
  const policy = response?.headers.get('content-security-policy') ?? ''
  return new Map(
    policy.split('; ').map(rule => [rule.split(' ', 1)[0] ?? '', rule.slice(rule.indexOf(' ') + 1)]),
  )
}

it('[R3] [S11] diagrams are drawn in an opaque origin that loads nothing and runs one script, allowed by its hash', async () => {
  const policy = await policyOf('/diagram.html')
  expect(policy.get('default-src')).toBe("'none'")
  expect(policy.get('script-src')).toBe(
    `'sha256-${createHash('sha256').update(' one() ').digest('base64')}' blob:`,
  )
  expect(policy.get('img-src')).toBe('data:')
  expect(policy.get('sandbox')).toBe('allow-scripts')
  expect(policy.get('frame-ancestors')).toBe("'self'")
  for (const rule of ['connect-src', 'worker-src', 'frame-src', 'object-src'])
    expect(policy.has(rule)).toBe(false)
})

it('[R3] a worker may load only our own scripts', async () => {
  const policy = await policyOf('/assets/highlight.worker-1.js')
  expect([...policy]).toEqual([
    ['default-src', "'none'"],
    ['base-uri', "'none'"],
    ['form-action', "'none'"],
    ['script-src', "'self'"],
  ])
  expect((await policyOf('/assets/app-1.css')).has('script-src')).toBe(false)
})
