import { describe, expect, it } from 'vitest'
import { canBeChosen, inOrder, obstacle, readinessOf, versionWords } from './readiness.ts'
import type { ListedAgent } from './use-agents.ts'

const agent = (name: string, given: Partial<ListedAgent> = {}): ListedAgent => ({
  name,
  title: name.toUpperCase(),
  status: 'ready',
  version: null,
  tested: null,
  age: null,
  isLoggedIn: null,
  advice: null,
  capabilities: {},
  options: null,
  default: false,
  ...given,
})

describe('readiness of agents', () => {
  it('[W1] is shown in one word', () => {
    const words = (['ready', 'needs-login', 'missing', 'broken'] as const).map(
      status => readinessOf({ status }).word,
    )
    expect(words).toEqual(['Ready', 'Needs login', 'Not installed', 'Can’t run'])
    expect(canBeChosen({ status: 'needs-login' })).toBe(true)
    expect(canBeChosen({ status: 'missing' })).toBe(false)
  })

  it('[W1] an agent that accepts only an API key is not reported as needing a login', () => {
    const word = (given: Partial<ListedAgent>) =>
      readinessOf(agent('a', { status: 'needs-login', ...given })).word
    expect(word({ lacks: 'key' })).toBe('Needs a key')
    expect(word({ lacks: 'token' })).toBe('Needs a token')
    expect(word({})).toBe('Needs login')
    // Advice is text for people, so the test does not depend on it.
    expect(word({ advice: 'Set a key.' })).toBe('Needs login')
  })

  it('[W1] the default agent comes first, agents that cannot run come last', () => {
    const all = [
      agent('a', { status: 'missing' }),
      agent('b', { status: 'needs-login' }),
      agent('c'),
      agent('d', { default: true, status: 'needs-login' }),
    ]
    expect(inOrder(all).map(({ name }) => name)).toEqual(['d', 'c', 'b', 'a'])
  })

  it('[W1] explains why a session cannot start with the chosen agent, or with the default', () => {
    const all = [
      agent('a', { status: 'missing' }),
      agent('b', { default: true }),
      agent('c', { status: 'broken' }),
    ]
    expect(obstacle(all, 'a')).toBe('A is not installed on this machine.')
    expect(obstacle(all, 'c')).toBe('C is installed but can’t run.')
    expect(obstacle(all, null)).toBeNull()
    expect(obstacle(null, 'a')).toBeNull()
    expect(obstacle(all, '')).toBeNull()
  })

  it('[W1] an untested version is marked as untested', () => {
    expect(versionWords({ version: '3', age: 'newer', tested: '1 to 2' })).toBe(
      'version 3, newer than the tested version (1 to 2)',
    )
    expect(versionWords({ version: '2', age: 'tested', tested: '1 to 2' })).toBe('version 2')
    expect(versionWords({ version: 'gpt-5', age: null, tested: null })).toBe('gpt-5')
    expect(versionWords({ version: null, age: null, tested: null })).toBe('')
  })
})
