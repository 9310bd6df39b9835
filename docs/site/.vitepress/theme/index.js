// The default theme, without its typeface: the system's own needs no file and nobody waits for it.
import DefaultTheme from "vitepress/theme-without-fonts";
import "./style.css";

export default DefaultTheme;
