import type { EnhanceAppContext } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import ServerApi from './server-api.vue';
import Terminal from './terminal.vue';
import './pages.css';

export default {
  extends: DefaultTheme,
  enhanceApp({ app }: EnhanceAppContext) {
    app.component('ServerApi', ServerApi);
    app.component('Terminal', Terminal);
  },
};
