import { describe, expect, it } from 'vitest'
import { listenOnLoopback } from '../../../testing/loopback.ts'
import { isLocal } from './fetch-page.ts'
import { pageText } from './page-text.ts'
import { createBench } from './place.fixture.ts'

describe('the tool that fetches pages', () => {
  it('[A9] returns the text of a page', async () => {
    await using site = await listenOnLoopback(async ({ url }, outgoing) => {
      if (url === '/moved') return void outgoing.writeHead(302, { location: '/page' }).end()
      if (url === '/away') return void outgoing.writeHead(302, { location: 'http://example.com/x' }).end()
      if (url === '/round') return void outgoing.writeHead(302, { location: '/round' }).end()
      if (url === '/none') return void outgoing.writeHead(404).end('gone')
      if (url === '/bytes') return void outgoing.writeHead(200, { 'content-type': 'image/png' }).end('x')
      if (url === '/huge')
        return void outgoing.writeHead(200, { 'content-type': 'text/plain' }).end('x'.repeat(5e6))
      outgoing
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end('<html><style>x{}</style><h1>Title</h1><p>Fish &amp; chips<script>bad()</script></p></html>')
    })
    const bench = await createBench({}, { fetchLocal: true })
    expect(await bench.use('fetch', { url: `${site.url}/page` })).toBe('Title\n\nFish & chips')
    expect(await bench.use('fetch', { url: `${site.url}/moved` })).toBe('Title\n\nFish & chips')
    expect(await bench.use('fetch', { url: `${site.url}/away` })).toContain('moved to http://example.com/x')
    await expect(bench.use('fetch', { url: `${site.url}/round` })).rejects.toThrow('redirects in a loop')
    await expect(bench.use('fetch', { url: `${site.url}/none` })).rejects.toThrow('status 404')
    await expect(bench.use('fetch', { url: `${site.url}/bytes` })).rejects.toThrow('image/png')
    expect(JSON.stringify(await bench.use('fetch', { url: `${site.url}/huge` })).length).toBeLessThan(51_000)
  })

  it('[R3] reaches nothing of this machine and its network, by name or by number, unless that is allowed', async () => {
    await using site = await listenOnLoopback(async (_, outgoing) => void outgoing.end('inside'))
    const bench = await createBench()
    const { port } = new URL(site.url)
    for (const host of [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '2130706433',
      '0x7f.1',
      '0.0.0.0',
    ])
      await expect(bench.use('fetch', { url: `http://${host}:${port}/` })).rejects.toThrow('local network')
    for (const url of ['file:///etc/passwd', 'ftp://x/', 'x', 'http://me:secret@example.com/'])
      await expect(bench.use('fetch', { url })).rejects.toThrow(
        /not an http or https URL|not contain a password/,
      )
  })

  it('[R3] knows the addresses of private networks', () => {
    for (const address of [
      '10.1.2.3',
      '172.31.0.1',
      '192.168.1.1',
      '169.254.169.254',
      'fd00::1',
      'fe80::1',
      '::',
      '::ffff:10.0.0.1',
    ])
      expect([address, isLocal(address)]).toEqual([address, true])
    for (const address of ['8.8.8.8', '172.32.0.1', '2606:4700::1'])
      expect([address, isLocal(address)]).toEqual([address, false])
  })

  it('[R2] broken pages are read as far as possible', async () => {
    expect(await pageText('<p>a<script>x')).toBe('a')
    expect(await pageText('a &#x41; &#65; &nope; &#99999999;')).toBe('a A A &nope; &#99999999;')
    expect(await pageText('<a href="/x">go</a>')).toBe('go (/x)')
  })
})
