import { onContentUpdated } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { h, onMounted } from "vue";
import SearchBox from "./SearchBox.vue";
import TryIt from "./TryIt.vue";
import { applyChosenTab, rememberChosenTab } from "./tabs.js";
import "./style.css";

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => app.component("TryIt", TryIt),
  Layout: {
    setup() {
      onMounted(rememberChosenTab);
      onContentUpdated(applyChosenTab);
      return () => h(DefaultTheme.Layout, null, { "nav-bar-content-before": () => h(SearchBox) });
    },
  },
};
