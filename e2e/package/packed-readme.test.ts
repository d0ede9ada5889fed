import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packedReadme } from './packed-readme.ts'

const root = join(import.meta.dirname, '../..')
const packed = packedReadme(readFileSync(join(root, 'README.md'), 'utf8'))

it('[O1] the README of the package starts with npx, and names no command of the repository', () => {
  expect(packed).toContain('```\nnpx dragoman\n```')
  expect(packed).toContain('npx dragoman run --agent scripted')
  expect(packed).not.toMatch(/npm (ci|start|run)|<!--|-->|\n{3}/)
})

it('[O1] the README of the package has no picture or link that a registry cannot show', () => {
  expect([...packed.matchAll(/\]\(([^)]*)\)/g)].filter(([, to = '']) => !to.startsWith('https://'))).toEqual(
    [],
  )
})

it('[O1] the README of the package names only files that the package has', () => {
  const named = [...packed.matchAll(/`([\w/-]+\.md)`/g)].map(([, path = '']) => path)
  expect(named.length).toBeGreaterThan(3)
  for (const path of named) {
    expect(path).toMatch(/^docs\/(?!voice|web-app)|^CHANGELOG/)
    expect([path, existsSync(join(root, path))]).toEqual([path, true])
  }
})

it('keeps words outside of the marks, and links to other sites', () => {
  const text =
    'A\n\n<!-- repository -->\n\nB\n\n<!-- /repository -->\n\n<!-- package\nC\n-->\n![p](x.png)\n[D](d.md) [E](https://e.org) [F](#f)\n'
  expect(packedReadme(text)).toBe('A\n\nC\nD [E](https://e.org) [F](#f)\n')
})
