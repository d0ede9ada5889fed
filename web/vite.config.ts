import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { doors } from './doors.ts'

/** The fonts of formulas exist in three formats; every supported browser reads the newest. */
const newestFonts: Plugin = {
  name: 'newest-fonts',
  enforce: 'pre',
  transform: (code, id) =>
    id.includes('/katex/dist/')
      ? code.replaceAll(/,url\([^)]{0,200}\.(?:woff|ttf)\) format\("(?:woff|truetype)"\)/g, '')
      : undefined,
}

export default defineConfig({
  root: import.meta.dirname,
  resolve: { alias: [...doors] },
  plugins: [react(), newestFonts],
  build: {
    target: 'es2024',
    // The first versions with light-dark(), which gives each color its two values.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    outDir: '../dist/web',
    emptyOutDir: true,
    // Smaller files would become data: addresses, which the policy of the page forbids for scripts and fonts.
    assetsInlineLimit: 0,
    // Larger parts are loaded on demand.
    chunkSizeWarningLimit: 2000,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: { app: 'index.html' } },
    manifest: 'files.json',
  },
  worker: { format: 'es' },
})
