import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

interface Entry {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly integrity?: string
  readonly resolved?: string
  readonly link?: boolean
}

const text = readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8')
const { packages } = JSON.parse(text) as { readonly packages: Readonly<Record<string, Entry>> }
const installed = Object.entries(packages).filter(
  ([place, { link }]) => place.includes('node_modules/') && !link,
)

// If this fails after an update, the registry lacks a build for another system: take the newest version that it has whole
// (`overrides` in package.json for what another package brings), and run `.ci/complete-lockfile.mjs`.
it('[S11] every package has a checksum, on every system', () => {
  const unchecked = installed.filter(([, { integrity = '' }]) => !/^sha512-[\w+/]{86}==$/.test(integrity))
  expect(unchecked.map(([place]) => place)).toEqual([])
})

it('[S11] the lock file has every build of every package: a missing one would be installed without a check', () => {
  const isKnown = (from: string, name: string): boolean => {
    if (Object.hasOwn(packages, `${from === '' ? '' : `${from}/`}node_modules/${name}`)) return true
    return from !== '' && isKnown(from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name)
  }
  const missing = Object.entries(packages).flatMap(([place, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies }).filter(name => !isKnown(place, name)),
  )
  expect(missing).toEqual([])
})

it('[S11] the lock file names no registry', () => {
  expect(installed.filter(([, { resolved }]) => resolved !== undefined).map(([place]) => place)).toEqual([])
  expect(text).not.toMatch(/"resolved": "\w+:\/\//)
})
