import { expect, it } from 'vitest'
import { languageOf, titleOf } from './language-names.ts'
import { grammars } from './languages.ts'

it.each([
  ['ts', 'typescript'],
  ['TypeScript', 'typescript'],
  ['js {1,3}', 'javascript'],
  ['python:main.py', 'python'],
  [' sh ', 'bash'],
  ['c++', 'cpp'],
])('[W2] %s is %s', (written, language) => {
  expect(languageOf(written)).toBe(language)
})

it.each(['', 'text', 'mermaid', '__proto__', 'constructor', 'toString'])(
  '[W2] %j is not highlighted',
  written => {
    expect(languageOf(written)).toBeUndefined()
  },
)

it('[W2] every highlighted language has a grammar and a name', () => {
  for (const language of Object.keys(grammars)) {
    expect(languageOf(language)).toBe(language)
    expect(titleOf(languageOf(language) ?? 'c')).toMatch(/^[A-Z]/)
  }
})
