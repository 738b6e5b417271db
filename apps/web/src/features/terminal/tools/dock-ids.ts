/** Ids of the buttons that open the dock, which receive the focus when it is folded. */
export const panelsButtonId = 'show-device-panels';
export const toolsMenuId = 'tools-menu';
/** Button that opens the row of the Tools menu in a small window. */
export const moreToolsId = 'more-tools';
