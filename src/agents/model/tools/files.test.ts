import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '../../../protocol/property-runs.fixture.ts'
import { newFolder } from '../harness.fixture.ts'
import { createBench } from './place.fixture.ts'

describe('tools for files', () => {
  it('[A9] read returns a whole file, or lines of it with a note', async () => {
    const bench = await createBench()
    const lines = Array.from({ length: 10 }, (_, at) => `line ${at + 1}`)
    await writeFile(join(bench.cwd, 'a.txt'), `${lines.join('\n')}\n`)
    expect(await bench.use('read', { path: 'a.txt' })).toBe(`${lines.join('\n')}\n`)
    expect(await bench.use('read', { path: join(bench.cwd, 'a.txt'), offset: 4, limit: 2 })).toBe(
      'line 4\nline 5\n[Lines 4 to 5 of 10.]',
    )
    await expect(bench.use('read', { path: 'a.txt', offset: 99 })).rejects.toThrow('only 10 lines')
    await writeFile(join(bench.cwd, 'bytes'), Buffer.from([1, 0, 2]))
    await expect(bench.use('read', { path: 'bytes' })).rejects.toThrow('is not text')
    await writeFile(join(bench.cwd, 'long.txt'), 'x'.repeat(300_000))
    expect(JSON.stringify(await bench.use('read', { path: 'long.txt' })).length).toBeLessThan(101_000)
  })

  it('[A9] edit requires its text to be present once, and keeps the mode of the file', async () => {
    const bench = await createBench()
    const path = join(bench.cwd, 'a.sh')
    await writeFile(path, 'one two one')
    await chmod(path, 0o755)
    await expect(bench.use('edit', { path: 'a.sh', old_string: 'one', new_string: '1' })).rejects.toThrow(
      '2 times',
    )
    await expect(bench.use('edit', { path: 'a.sh', old_string: 'six', new_string: '6' })).rejects.toThrow(
      'was not found',
    )
    await expect(bench.use('edit', { path: 'a.sh', old_string: 'one', new_string: 'one' })).rejects.toThrow(
      'same',
    )
    await bench.use('edit', { path: 'a.sh', old_string: 'two', new_string: '$& $1' })
    expect(await readFile(path, 'utf8')).toBe('one $& $1 one')
    await bench.use('edit', { path: 'a.sh', old_string: 'one', new_string: '1', replace_all: true })
    expect(await readFile(path, 'utf8')).toBe('1 $& $1 1')
    expect((await stat(path)).mode & 0o777).toBe(0o755)
    await writeFile(join(bench.cwd, 'latin'), Buffer.from([0x61, 0xe9]))
    await expect(bench.use('edit', { path: 'latin', old_string: 'a', new_string: 'b' })).rejects.toThrow(
      'UTF-8',
    )
  })

  it('[A9] list and search find existing files, and skip generated ones', async () => {
    const bench = await createBench()
    await mkdir(join(bench.cwd, 'src/deep'), { recursive: true })
    await mkdir(join(bench.cwd, 'node_modules/x'), { recursive: true })
    await writeFile(join(bench.cwd, 'src/deep/a.ts'), 'const needle = 1\nother\n')
    await writeFile(join(bench.cwd, 'node_modules/x/a.ts'), 'needle')
    await writeFile(join(bench.cwd, 'b.md'), 'Needle')
    expect(await bench.use('list', {})).toBe('b.md\nnode_modules/\nsrc/')
    expect(await bench.use('list', { pattern: '**/*.ts' })).toBe('src/deep/a.ts')
    expect(await bench.use('list', { path: 'src', depth: 2 })).toBe('deep/\ndeep/a.ts')
    await expect(bench.use('list', { path: 'nowhere' })).rejects.toThrow('There is no folder')
    expect(await bench.use('search', { pattern: 'need\\w+' })).toBe('src/deep/a.ts:1:const needle = 1')
    expect(await bench.use('search', { pattern: 'needle', ignore_case: true, glob: '*.md' })).toBe(
      'b.md:1:Needle',
    )
    expect(await bench.use('search', { pattern: 'absent' })).toBe('No matches.')
    expect(await bench.use('search', { pattern: 'x', path: 'b.md' })).toBe('No matches.')
    await expect(bench.use('search', { pattern: '(' })).rejects.toThrow('Not a valid regular expression')
  })

  it('[R3] a search that never ends can be stopped, and blocks nothing', async () => {
    const stop = new AbortController()
    const bench = await createBench({ signal: stop.signal })
    await writeFile(join(bench.cwd, 'a'), `${'a'.repeat(40)}!`)
    const searching = bench.use('search', { pattern: '^(a+)+$' })
    const begun = process.cpuUsage()
    await expect.poll(() => process.cpuUsage(begun).user).toBeGreaterThan(200_000)
    stop.abort(new Error('enough'))
    await expect(searching).rejects.toThrow('enough')
  })
})

describe('the folder that tools stay in', () => {
  const outside = async () => {
    const folder = await newFolder()
    await writeFile(join(folder, 'secret'), 'hidden')
    return folder
  }
  const reach = (bench: Awaited<ReturnType<typeof createBench>>, path: string) =>
    Promise.allSettled([
      bench.use('read', { path }),
      bench.use('write', { path, content: 'x' }),
      bench.use('edit', { path, old_string: 'hidden', new_string: 'x' }),
    ])

  it('[R3] refuses .., absolute paths, links out of it and NUL', async () => {
    const other = await outside()
    const bench = await createBench()
    await symlink(join(other, 'secret'), join(bench.cwd, 'link'))
    await symlink(other, join(bench.cwd, 'folder'))
    await symlink(join(other, 'new'), join(bench.cwd, 'dangling'))
    const paths = [
      '../secret',
      `../${other.split('/').at(-1)}/secret`,
      join(other, 'secret'),
      'link',
      'folder/secret',
      'folder/../folder/secret',
      'dangling',
      'a\0b',
      '/etc/passwd',
      '/proc/self/environ',
    ]
    for (const path of paths)
      for (const result of await reach(bench, path)) expect([path, result.status]).toEqual([path, 'rejected'])
    expect(await readFile(join(other, 'secret'), 'utf8')).toBe('hidden')
    await expect(stat(join(other, 'new'))).rejects.toThrow('ENOENT')
    for (const path of ['folder', '..', '/'])
      await expect(bench.use('list', { path })).rejects.toThrow('outside')
    await expect(bench.use('search', { pattern: 'hidden', path: 'folder' })).rejects.toThrow('outside')
    expect(await bench.use('search', { pattern: 'hidden' })).toBe('No matches.')
  })

  it('[R3] refuses pipes and devices, which would block it', async () => {
    const bench = await createBench()
    execFileSync('mkfifo', [join(bench.cwd, 'pipe')])
    await expect(bench.use('read', { path: 'pipe' })).rejects.toThrow('not a file')
    await expect(bench.use('write', { path: 'pipe', content: 'x' })).rejects.toThrow('not a file')
    await mkdir(join(bench.cwd, 'inner'), { recursive: true })
    for (const path of ['.', 'inner', bench.cwd]) {
      await expect(bench.use('read', { path })).rejects.toThrow(`${path} is a folder.`)
      await expect(bench.use('write', { path, content: 'x' })).rejects.toThrow(`${path} is a folder.`)
    }
    expect(await bench.use('search', { pattern: 'x' })).toBe('No matches.')
  })

  it('[R3] a folder that is swapped for a link meanwhile leads nowhere', async () => {
    const other = await outside()
    const bench = await createBench()
    const stop = new AbortController()
    const swap = async () => {
      while (!stop.signal.aborted) {
        await rm(join(bench.cwd, 'd'), { recursive: true, force: true }).catch(() => undefined)
        await mkdir(join(bench.cwd, 'd')).catch(() => undefined)
        await writeFile(join(bench.cwd, 'd/secret'), 'mine').catch(() => undefined)
        await rm(join(bench.cwd, 'd'), { recursive: true, force: true }).catch(() => undefined)
        await symlink(other, join(bench.cwd, 'd')).catch(() => undefined)
      }
    }
    const swapper = swap()
    for (let tries = 0; tries < 300; tries += 1) {
      const read = await bench.use('read', { path: 'd/secret' }).catch(() => 'refused')
      expect(['mine', 'refused', '', 'x']).toContain(read)
      await bench.use('write', { path: 'd/secret', content: 'x' }).catch(() => undefined)
    }
    stop.abort()
    await swapper
    expect(await readFile(join(other, 'secret'), 'utf8')).toBe('hidden')
  })

  it('[R3] no path reaches anything outside', async () => {
    const other = await outside()
    const bench = await createBench()
    await symlink(other, join(bench.cwd, 'l'))
    const segment = fc.constantFrom('..', '.', 'l', 'a', '', 'secret', other.slice(1), '~', '%2e%2e', '..\\')
    await fc.assert(
      fc.asyncProperty(
        fc.array(segment, { minLength: 1, maxLength: 8 }),
        fc.boolean(),
        async (parts, isFull) => {
          const path = `${isFull ? '/' : ''}${parts.join('/')}`
          const read = await bench.use('read', { path }).catch(() => 'refused')
          expect(read).not.toBe('hidden')
        },
      ),
      { numRuns: propertyRuns(300) },
    )
  })
})
