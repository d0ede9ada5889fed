import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { proxyFolder, python, withoutPython } from './service.fixture.ts'

describe('the service in Python', () => {
  it('[A10] passes its own tests (python3 -m unittest)', context => {
    if (python === null) return context.skip(withoutPython)
    const args = ['-m', 'unittest', 'discover', '-s', 'tests', '-t', '.']
    // Failures are printed on stderr, which is in the error.
    const output = execFileSync(python, [...args, '-v'], {
      cwd: proxyFolder,
      encoding: 'utf8',
      stdio: 'pipe',
    })
    expect(output).toBe('')
  })
})
