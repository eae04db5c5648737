export { Keeper, fragment, isGameFile, readGame, removeGame, savedGames, storedGame } from "twofold/keeper.js";
export { BRICK, Tiles, describe, faceValue, inUnits, isTyping, onSwipe } from "twofold/tiles.js";
